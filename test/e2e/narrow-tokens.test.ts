/**
 * A token for one noun learns nothing of the other nouns of a house: no name, key or value of one in any byte that it
 * gets. Each noun has words of its own, which are looked for.
 */
import { mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectOptions, freeAddress } from "../harness/address.ts";
import { EventClient } from "../harness/event-client.ts";
import { eventually } from "../harness/eventually.ts";
import { startConfigured } from "../harness/nound-process.ts";
import { request, requestWithBody } from "../harness/request.ts";
import { forThisTest } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";

const requestsOfAll = 5_000;

/** The planted words of a noun: in its name, its key, its title and its group. */
const word = (noun: string): string => `zq${noun}`;

/** A noun of the house. @param options of its kind. */
function planted(noun: string, options: object): readonly [string, object] {
  const one = { key: `${word(noun)}key`, title: `Title ${word(noun)}`, description: `Text ${word(noun)}` };
  return [word(noun), { ...one, ...options }];
}

const output = (line: number, options: object = {}) => ({ kind: "gpio-output", line: `GPIO${line}`, ...options });
const is = (noun: string, value: number) => ({ [word(noun)]: { [`${word(noun)}key`]: value } });
const switchOn = (noun: string) => ({ [`PUT ${word(noun)}`]: { [`${word(noun)}key`]: 1 } });

/** 20 nouns: guards in a chain, rules, a cover with an end switch, a mirror of another device's guarded noun. */
function house(other: string): { readonly [noun: string]: object } {
  const rule = (noun: string, when: object, action: object) =>
    // biome-ignore lint/suspicious/noThenProperty: the word of a rule
    [word(noun), { kind: "rule", title: `Title ${word(noun)}`, when, then: action }] as const;
  return Object.fromEntries([
    planted("pump", output(2)),
    planted("valve", output(3, { guard: is("pump", 1) })),
    planted("heater", output(4, { guard: { ...is("pump", 1), ...is("valve", 1) } })),
    planted("fan", output(5, { guard: is("lamp", 0) })),
    planted("lamp", output(6, { lease: 60_000 })),
    planted("bell", output(7, { pulse: 50 })),
    ...["door", "gate", "key", "leak"].map((noun, n) => planted(noun, { kind: "gpio-input", line: `GPIO${8 + n}` })),
    ...["wish", "mode"].map((noun) => planted(noun, { kind: "switch" })),
    planted("quay", output(16, { guard: is("mode", 1) })),
    planted("yard", output(17, { guard: is("wish", 0) })),
    rule("frost", is("door", 1), switchOn("lamp")),
    rule("storm", is("leak", 1), { ...switchOn("pump"), ...switchOn("heater") }),
    rule("night", is("gate", 1), {
      [`PUT ${word("wish")}`]: { [`${word("wish")}key`]: `$${word("mode")}.${word("mode")}key` },
    }),
    [
      word("blind"),
      {
        kind: "cover",
        title: `Title ${word("blind")}`,
        open: { line: "GPIO20" },
        close: { line: "GPIO21" },
        openTime: 1_000,
        closeTime: 1_000,
        stopAt: { close: is("key", 1) },
      },
    ],
    [word("far"), { kind: "mirror", of: `http://${other}/heater` }],
    [
      word("note"),
      {
        kind: "value",
        title: `Title ${word("note")}`,
        shape: { [`${word("note")}key`]: { type: "integer", minimum: 0, maximum: 1, unit: "Cel" } },
        default: { [`${word("note")}key`]: 0 },
        homeAssistant: { component: "climate", current: `${word("door")}/${word("door")}key` },
      },
    ],
  ]);
}

test("a token for one noun learns no name, key or value of another one", async () => {
  const abroad = await freeAddress();
  const far = {
    zqabroad: { kind: "switch", key: "zqabroadkey" },
    heater: { ...output(2), key: "zqfarkey", title: "Title zqfar", guard: { zqabroad: { zqabroadkey: 1 } } },
  };
  const other = forThisTest(await startConfigured({ listen: [abroad], nouns: far }, abroad, ["--simulate"]));
  const nouns = house(other.address);
  const names = Object.keys(nouns);
  expect(names).toHaveLength(20);
  const tokens = await Promise.all(names.map((name) => makeToken(`t-${name}-token`)));
  const all = await makeToken("zqowner");
  const lines = tokens.map(({ line }, n) => line.replace("GET,PUT,POST,DELETE *", `GET,PUT,POST,DELETE ${names[n]}`));
  const listen = await freeAddress();
  const access = { tokens: tokenFile(...lines, all.line) };
  const limits = { maxStreams: 100, maxConnections: 200 };
  const stateDirectory = mkdtempSync(join(tmpdir(), "nound-narrow-"));
  const configuration = { listen: [listen], stateDirectory, nouns, access, limits };
  const nound = forThisTest(await startConfigured(configuration, listen, ["--simulate"]));
  const bearer = (token: string) => `Authorization: Bearer ${token}\r\n`;
  const words = [...names, "zqabroad", "zqowner", ...names.map((name) => `t-${name}-token`)];

  /** Sends one request. @returns all bytes of its answer. */
  const ask = async (method: string, target: string, token: string, state?: object, fields = ""): Promise<string> => {
    const own = `${bearer(token)}${fields}Connection: close\r\n`;
    const bytes = state ? requestWithBody(method, target, JSON.stringify(state), own) : request(method, target, own);
    const socket = connect(connectOptions(nound.address));
    socket.write(bytes);
    let received = "";
    for await (const part of socket) received += (part as Buffer).toString("latin1");
    return received;
  };
  const owner = async (verb: string, noun: string, value?: number): Promise<void> => {
    await ask(verb, `/${noun}`, all.token, value === undefined ? undefined : { [`${noun}key`]: value });
  };

  await eventually("the mirror knows its noun", async () =>
    (await ask("GET", "/zqfar", all.token)).startsWith("HTTP/1.1 200"),
  );
  const streams = names.flatMap((name, n) =>
    [`/${name}`, "/", "/changes"].map((target) => ({
      name,
      target,
      client: new EventClient(nound.address, target, bearer(tokens[n]?.token ?? "")),
    })),
  );
  const guards = ["zqpump", "zqlamp", "zqmode", "zqwish"];
  const leaks = new Set<string>();
  const search = (name: string, what: string, bytes: string): void => {
    for (const one of words) {
      // A token's own name holds the noun's.
      const isOwn = one === name || one === `t-${name}-token`;
      const found = isOwn ? false : bytes.replaceAll(`t-${name}-token`, "").includes(one);
      if (found) leaks.add(`${name} learns ${one} by ${what}: ${bytes.slice(-300)}`);
    }
  };
  const statuses = new Set<string>();
  for (let sent = 0; sent < requestsOfAll; ) {
    // Guards hold in one round and not in the next one, so that both a change and its consequences are refused.
    const round = Math.floor(sent / names.length);
    if (round % 10 === 0) for (const noun of guards) await owner("PUT", noun, (round / 10) % 2);
    await Promise.all(
      names.map(async (name, n) => {
        const { token = "" } = tokens[n] ?? {};
        const state = { [`${name}key`]: round % 2 };
        const kinds = [
          () => ask("PUT", `/${name}`, token, state),
          () => ask("GET", `/${name}`, token),
          () => ask("POST", `/${name}`, token, {}),
          () => ask("GET", "/", token),
          () => ask("DELETE", `/${name}`, token),
          () => ask("GET", "/.well-known/wot", token),
          () => ask("PUT", `/${name}`, token, { [`${name}key`]: 1 }),
          () => ask("GET", "/openapi.json", token),
          () => ask("GET", "/metrics", token),
          () => ask("GET", "/changes", token),
          () => ask("OPTIONS", `/${name}`, token),
          () => ask("PUT", `/${name}`, token, { other: 1 }),
          () => ask("GET", `/${names[(n + 1) % names.length]}`, token),
          () => ask("GET", `/${name}`, token, undefined, "Accept: text/csv\r\n"),
          () => ask("GET", "/log", token),
          () => ask("GET", "/nothing", token),
        ];
        const index = (round + n) % kinds.length;
        const bytes = (await kinds[index]?.()) ?? "";
        statuses.add(bytes.slice(9, 12));
        search(name, `request ${index}`, bytes);
      }),
    );
    sent += names.length;
  }
  for (const { name, client } of streams) search(name, "a stream", client.received);
  expect([...leaks].slice(0, 5)).toEqual([]);
  // It was no silence: changes were made and refused, and streams had events.
  expect([...statuses]).toEqual(expect.arrayContaining(["200", "403", "409"]));
  const silent = streams.filter(({ client }) => !client.received.includes("data:"));
  expect(silent.filter(({ target }) => target !== "/changes")).toEqual([]);
  expect(silent.length).toBeLessThan(names.length);
});
