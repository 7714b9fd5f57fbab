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

/** A time of day that no other noun has. */
const setTime = "06:17";

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

/** A noun with one key that a person sets. @param key its type and range. @param value at the start. */
const setPoint = (noun: string, key: object, value: unknown, options: object = {}) =>
  planted(noun, {
    kind: "value",
    key: undefined,
    shape: { [`${word(noun)}key`]: key },
    default: { [`${word(noun)}key`]: value },
    ...options,
  });

const reference = (noun: string): string => `$${word(noun)}.${word(noun)}key`;

/**
 * What refers to other nouns: covers by a button and with slats, a schedule, a scene, set-points, a webhook, a unit of
 * Modbus.
 */
function referring(other: string): readonly (readonly [string, object])[] {
  const seconds = { openTime: 1_000, closeTime: 1_000 };
  const title = (noun: string) => ({ title: `Title ${word(noun)}` });
  const height = { type: "choice", values: ["zqshadehigh", "zqshadelow"] };
  return [
    setPoint("shade", height, "zqshadehigh"),
    setPoint("limit", { type: "number", minimum: 0, maximum: 1 }, 1),
    setPoint("wake", { type: "time" }, setTime, { boot: "restore" }),
    setPoint("room", { type: "number", unit: "Cel" }, 20.25, {
      homeAssistant: { platform: "climate", target: "zqroomkey", current: "zqlimit/zqlimitkey" },
    }),
    planted("boost", output(22, { guard: { zqlimit: { zqlimitkey: { above: `${reference("room")} - 20` } } } })),
    planted("drip", output(23, { guard: { zqshade: { zqshadekey: "zqshadelow" } }, rest: 10 })),
    [
      "zqjalousie",
      {
        kind: "cover",
        ...title("jalousie"),
        button: { line: "GPIO24" },
        ...seconds,
        stopAt: { open: is("door", 1), close: is("gate", 1) },
        guard: is("mode", 1),
      },
    ],
    planted("up", output(25)),
    planted("down", output(26)),
    [
      "zqslats",
      {
        kind: "cover",
        ...title("slats"),
        ...seconds,
        open: { noun: "zqup" },
        close: { noun: "zqdown" },
        tiltTime: 200,
        default: { position: 0 },
        guard: { zqeve: { active: true }, ...is("wish", 0) },
      },
    ],
    ["zqeve", { kind: "schedule", ...title("eve"), from: reference("wake"), to: "06:16" }],
    [
      "zqscene",
      {
        kind: "rule",
        ...title("scene"),
        // biome-ignore lint/suspicious/noThenProperty: the word of a rule
        then: {
          "PUT zqlimit": { zqlimitkey: reference("room") },
          "PUT zqheater": { zqheaterkey: 1 },
          "POST zqpost": { zqpostkey: `it is \${zqshade.zqshadekey}` },
        },
      },
    ],
    [
      "zqpost",
      {
        kind: "webhook",
        ...title("post"),
        url: `PUT http://${other}/heater?zqaddress`,
        headers: { "X-Zqheader": "zqheadervalue" },
        key: "zqpostkey",
      },
    ],
    [
      "zqchase",
      {
        kind: "rule",
        ...title("chase"),
        when: [
          { zqshade: { zqshadekey: { changes: true } } },
          { zqroom: { zqroomkey: { changes: true } }, ...is("wish", 1) },
        ],
        // biome-ignore lint/suspicious/noThenProperty: the word of a rule
        then: { "PUT zqnote": { zqnotekey: reference("mode") } },
      },
    ],
    [
      "zqunit",
      {
        kind: "modbus",
        ...title("unit"),
        device: "/dev/zqdevice",
        keys: { zqunitkey: { at: "coil 3", writable: true, default: false } },
        guard: is("mode", 1),
      },
    ],
  ];
}

/** Guards in a chain, rules, a cover with an end switch, a mirror of another device's guarded noun, and `referring`. */
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
    [word("far"), { kind: "mirror", url: `http://${other}/heater` }],
    [
      word("note"),
      {
        kind: "value",
        title: `Title ${word("note")}`,
        shape: { [`${word("note")}key`]: { type: "integer", minimum: 0, maximum: 1, unit: "Cel" } },
        default: { [`${word("note")}key`]: 0 },
        homeAssistant: { platform: "climate", current: `${word("door")}/${word("door")}key` },
      },
    ],
    ...referring(other),
  ]);
}

/** Writes the first coil by Modbus TCP. */
async function writeCoil(address: string, value: number): Promise<void> {
  const socket = connect(connectOptions(address));
  socket.write(Buffer.from([0, 1, 0, 0, 0, 6, 1, 5, 0, 0, value === 1 ? 0xff : 0, 0]));
  for await (const part of socket) if ((part as Buffer).length > 0) break;
  socket.destroy();
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
  expect(names.length).toBeGreaterThan(20);
  const tokens = await Promise.all(names.map((name) => makeToken(`t-${name}-token`)));
  const all = await makeToken("zqowner");
  const lines = tokens.map(({ line }, n) => line.replace("GET,PUT,POST,DELETE *", `GET,PUT,POST,DELETE ${names[n]}`));
  const listen = await freeAddress();
  const access = { tokens: tokenFile(...lines, all.line) };
  const limits = { maxStreams: 128, maxConnections: 256 };
  const stateDirectory = mkdtempSync(join(tmpdir(), "nound-narrow-"));
  const modbus = await freeAddress();
  const modbusServer = { listen: [modbus], may: "GET,POST *", registers: { coil: { 0: "zqlamp.zqlampkey" } } };
  const more = {
    documents: ["description", "openapi", "metrics", "page", "changes 64", "history 65536"],
    modbusServer,
  };
  const configuration = { listen: [listen], stateDirectory, nouns, access, limits, ...more };
  const nound = forThisTest(await startConfigured(configuration, listen, ["--simulate"]));
  const bearer = (token: string) => `Authorization: Bearer ${token}\r\n`;
  const words = [
    ...names,
    "zqabroad",
    "zqowner",
    "zqdevice",
    "zqheader",
    "zqaddress",
    setTime,
    "modbus 127",
    ...names.map((name) => `t-${name}-token`),
  ];

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
  const known = new EventClient(nound.address, "/changes", bearer(all.token));
  const guards = ["zqpump", "zqlamp", "zqmode", "zqwish"];
  const leaks = new Set<string>();
  const search = (name: string, what: string, bytes: string): void => {
    for (const one of words) {
      // A token's own name holds the noun's, and the schedule has the time of day that is set at another noun.
      const isOwn =
        one === name || one === `t-${name}-token` || (one === setTime && ["zqwake", "zqeve"].includes(name));
      const found = isOwn ? false : bytes.replaceAll(`t-${name}-token`, "").includes(one);
      if (found) leaks.add(`${name} learns ${one} by ${what}: ${bytes.slice(-300)}`);
    }
  };
  const statuses = new Set<string>();
  for (let sent = 0; sent < requestsOfAll; ) {
    // Guards hold in one round and not in the next one, so that both a change and its consequences are refused.
    const round = Math.floor(sent / names.length);
    if (round % 10 === 0) {
      const isOn = (round / 10) % 2;
      for (const noun of guards) await owner("PUT", noun, isOn);
      await ask("PUT", "/zqshade", all.token, { zqshadekey: isOn === 1 ? "zqshadelow" : "zqshadehigh" });
      await ask("PUT", "/zqlimit", all.token, { zqlimitkey: isOn });
      await ask("POST", "/zqscene", all.token, {});
      await writeCoil(modbus, 1 - isOn);
    }
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
          () => ask("GET", "/nothing", token),
          () => ask("HEAD", `/${name}`, token),
          () => ask("POST", `/${name}`, token, { position: 50, [`${name}key`]: "zq", enabled: "no" }),
          () => ask("POST", `/${name}`, token, { moving: "opening" }),
          () => ask("PUT", `/${name}`, token, { [`${name}key`]: 1 }, "If-Match: W/x\r\n"),
          () => ask("GET", "/", token, undefined, "Accept: text/csv\r\n"),
          () => ask("GET", "/", token, undefined, "Accept: text/html\r\nX-Forwarded-Prefix: /house\r\n"),
          () => ask("GET", "/simulated.zqdoor", token),
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
  for (const by of ["modbus 127.0.0.1", "rule zqscene", "guard zqshade", "cover zqslats"]) {
    expect(known.received).toContain(by);
  }
  expect(await ask("GET", "/zqpost", all.token)).toMatch(/"sent":[1-9]|"failed":[1-9]/);
  const silent = streams.filter(({ client }) => !client.received.includes("data:"));
  expect(silent.filter(({ target }) => target !== "/changes")).toEqual([]);
  expect(silent.length).toBeLessThan(names.length);
});
