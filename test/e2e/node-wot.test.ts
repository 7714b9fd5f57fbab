/** node-wot, given nothing but the URL of the description, with a noun of every ready-made kind. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { HttpClientFactory } from "@node-wot/binding-http";
import { Servient } from "@node-wot/core";
import { EventSource } from "eventsource";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { type NoundProcess, startConfigured } from "../harness/nound-process.ts";
import { forAllTests } from "../harness/served.ts";
import { ample } from "../harness/time-limits.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const configurationOf = (example: string) => JSON.parse(readFileSync(`${root}examples/${example}/nound.json`, "utf8"));
const relayBoard = configurationOf("relay-board");
const { battery: powerSupply, ...sensors } = configurationOf("thermometer").nouns;
const board = { ...relayBoard, nouns: { ...relayBoard.nouns, ...sensors, "power-supply": powerSupply } };
// What a client has set must stay until it has looked.
board.nouns.door = { ...board.nouns.door, pulse: ample };
board.nouns.pump = { ...board.nouns.pump, lease: ample };

/** Serves the relay board with the sensors of the thermometer, so that there is every kind, on simulated hardware. */
async function startBoard(rest: object = {}): Promise<NoundProcess> {
  const listen = await freeAddress();
  return await startConfigured({ ...board, ...rest, listen }, listen, ["--simulate"]);
}

interface Described {
  readonly id: string;
  readonly title: string;
  readonly properties: { readonly [name: string]: { readonly readOnly?: boolean } };
  readonly actions: object;
}

type Thing = Awaited<ReturnType<Awaited<ReturnType<Servient["start"]>>["consume"]>>;

/** What a PUT may hold, for each noun of the board that can be set. */
const desired: { readonly [name: string]: { readonly [key: string]: string | number | boolean } } = {
  lamp: { lamp: 1 },
  pump: { pump: 1 },
  door: { open: 1 },
  status: { brightness: 7, trigger: "none" },
  fan: { percent: 60, enabled: true },
  servo: { microseconds: 2_000, enabled: true },
  mode: { mode: "auto" },
  note: { text: "written by node-wot" },
  backlight: { percent: 80 },
};

/** Nouns that can only be read; each has a simulated source that moves it. */
const moved = ["button", "battery", "water", "board", "cpu", "power-supply", "system"];

describe("without a token", () => {
  const nound = forAllTests(() => startBoard());
  const servient = new Servient();
  servient.addClientFactory(new HttpClientFactory(null));
  let description: Described;
  let thing: Thing;

  beforeAll(async () => {
    const wot = await servient.start();
    const given = await wot.requestThingDescription(`http://${nound().address}/.well-known/wot`);
    description = given as unknown as Described;
    thing = await wot.consume(given);
  });
  afterAll(() => servient.shutdown());

  test("the description has every noun of the configuration", () => {
    expect(Object.keys(description.properties)).toEqual(expect.arrayContaining(Object.keys(board.nouns)));
  });

  test("reads every noun", async () => {
    for (const name of Object.keys(description.properties)) {
      const state = await (await thing.readProperty(name)).value();
      const answer = await fetch(`http://${nound().address}/${name}`);
      expect([name, Object.keys(state as object)]).toEqual([name, Object.keys((await answer.json()) as object)]);
    }
  });

  test("reads all of them at once", async () => {
    const all = await thing.readAllProperties();
    expect([...all.keys()].toSorted()).toEqual(Object.keys(description.properties).toSorted());
    expect(await all.get("note")?.value()).toEqual({ text: "" });
  });

  test.each(Object.entries(desired))("writes %s, in chunks", async (name, state) => {
    await thing.writeProperty(name, state);
    expect(await (await thing.readProperty(name)).value()).toEqual(state);
  });

  test.each(Object.keys(desired))("invokes both actions of %s", async (name) => {
    const reset = await (await thing.invokeAction(`${name}.reset`))?.value();
    const changes: { readonly [noun: string]: object } = { note: { text: "changed" }, backlight: { percent: 60 } };
    const change = changes[name] ?? {};
    const updated = await (await thing.invokeAction(`${name}.update`, change))?.value();
    expect(updated).not.toEqual(reset);
    expect(await (await thing.readProperty(name)).value()).toEqual(updated);
    expect(await (await thing.invokeAction(`${name}.reset`))?.value()).toEqual(reset);
  });

  test("is offered neither a write nor an update of what can only be read", async () => {
    for (const name of ["button", "battery"]) {
      expect(description.properties[name]).toMatchObject({ readOnly: true });
      expect(Object.keys(description.actions).filter((action) => action.startsWith(`${name}.`))).toEqual([
        `${name}.reset`,
      ]);
      await thing.invokeAction(`${name}.reset`);
    }
  });
});

describe("observing", () => {
  const nound = forAllTests(() => startBoard());

  test("hears the state of every noun at once, and each change", async () => {
    const servient = new Servient();
    servient.addClientFactory(new HttpClientFactory(null));
    const wot = await servient.start();
    const url = `http://${nound().address}`;
    const given = await wot.requestThingDescription(`${url}/.well-known/wot`);
    const thing = await wot.consume(given);
    const names = Object.keys((given as unknown as Described).properties);
    const heard = new Map<string, unknown[]>(names.map((name) => [name, []]));
    const states = (name: string) => heard.get(name) ?? [];
    for (const name of names) {
      await thing.observeProperty(name, async (output) => void states(name).push(await output.value()));
    }
    await eventually("a state of each", () => names.every((name) => states(name).length > 0));
    for (const [name, state] of Object.entries(desired)) {
      await thing.writeProperty(name, state);
      await eventually(`the change of ${name}`, () => JSON.stringify(states(name).at(-1)) === JSON.stringify(state));
    }
    const json = { "Content-Type": "application/json" };
    for (const name of moved) {
      const before = states(name).length;
      const source = `${url}/simulated.${name}`;
      const state = (await (await fetch(source)).json()) as Record<string, unknown>;
      // Not the first: the uptime changes with time alone, which is no event.
      const key = Object.keys(state).findLast((one) => typeof state[one] === "number") ?? "";
      state[key] = state[key] === 0 ? 1 : Number(state[key]) - 1;
      const { status } = await fetch(source, { method: "PUT", headers: json, body: JSON.stringify(state) });
      expect([name, status]).toEqual([name, 200]);
      await eventually(`the change of ${name}`, () => states(name).length > before);
    }
    await servient.shutdown();
  });
});

describe("with a token", () => {
  let token = "";
  const nound = forAllTests(async () => {
    const made = await makeToken("wot");
    token = made.token;
    const id = "3f2504e0-4f89-81d3-9a0c-0305e82c3301";
    return await startBoard({ access: { tokens: tokenFile(made.line) }, title: "Board", id });
  });

  test("the script of the example toggles a lamp that it found", async () => {
    const run = promisify(execFile);
    const url = `http://${nound().address}/.well-known/wot`;
    const script = `${root}examples/node-wot/toggle.mjs`;
    const { stdout } = await run(process.execPath, [script, url], { env: { ...process.env, TOKEN: token } });
    expect(stdout).toBe('Board: lamp is now {"lamp":1}\n');
    await expect(run(process.execPath, [script, url])).rejects.toMatchObject({ code: 69 });
  });

  test("the script of the example toggles the lamp of a device whose description has no id", async () => {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`http://${nound().address}/.well-known/wot`, { headers });
    const { id, ...description } = (await answer.json()) as { id: string };
    expect(id).toBe("urn:uuid:3f2504e0-4f89-81d3-9a0c-0305e82c3301");
    const server = createServer((_, response) => response.end(JSON.stringify(description)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const script = `${root}examples/node-wot/toggle.mjs`;
    const { stdout } = await promisify(execFile)(process.execPath, [script, url], {
      env: { ...process.env, TOKEN: token },
    });
    expect(stdout).toMatch(/^Board: lamp is now \{"lamp":[01]\}\n$/);
  });

  test("reads, writes and invokes, once it has the description", async () => {
    const servient = new Servient();
    servient.addClientFactory(new HttpClientFactory(null));
    const wot = await servient.start();
    const authorization = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`http://${nound().address}/.well-known/wot`, { headers: authorization });
    const description = (await answer.json()) as Described & Parameters<typeof wot.consume>[0];
    expect(description.id).toMatch(/^urn:uuid:/);
    servient.addCredentials({ [description.id]: { token } });
    const thing = await wot.consume(description);
    await thing.writeProperty("fan", { percent: 45, enabled: true });
    expect(await (await thing.readProperty("fan")).value()).toEqual({ percent: 45, enabled: true });
    expect(await (await thing.invokeAction("mode.update", {}))?.value()).toEqual({ mode: "auto" });
    await servient.shutdown();
  });

  test("is observed by npm's eventsource with a fetch that sends the token", async () => {
    const source = new EventSource(`http://${nound().address}/lamp`, {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } }),
    });
    const heard: string[] = [];
    source.onmessage = ({ data }) => heard.push(data as string);
    await eventually("the state", () => heard.length === 1);
    const [first = ""] = heard;
    const state = JSON.stringify({ lamp: 1 - JSON.parse(first).lamp });
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    await fetch(`http://${nound().address}/lamp`, { method: "PUT", headers, body: state });
    await eventually("the change", () => heard.length === 2);
    expect(heard).toEqual([first, state]);
    source.close();
  });
});
