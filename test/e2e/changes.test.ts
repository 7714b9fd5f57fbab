/** Who has changed a noun: each cause that `/changes` knows, its reach, its stream, and the switch that makes it nothing. */
import { expect, onTestFinished, test } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import { memoryNotJudged } from "../harness/environment.ts";
import { EventClient } from "../harness/event-client.ts";
import { eventually } from "../harness/eventually.ts";
import { sendLoad, serialMark } from "../harness/load.ts";
import { Mosquitto, mosquittoMissing, OtherClient } from "../harness/mosquitto.ts";
import { startNound } from "../harness/nound-process.ts";
import { ownMemory } from "../harness/process-status.ts";
import { Service } from "../harness/reloaded-service.ts";
import { forThisTest } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";

interface Change {
  readonly time: string;
  readonly noun: string;
  readonly state: State | null;
  readonly by: string;
}

/** Reads the list of changes. */
async function changes(address: string, token?: string): Promise<readonly Change[]> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`http://${address}/changes`, { headers });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
  const text = await answer.text();
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Change]));
}

/** @returns the changes of one noun, each as `{"on":1} rule frost`. */
async function causes(address: string, noun: string): Promise<readonly string[]> {
  const all = await changes(address);
  return all.filter((one) => one.noun === noun).map(({ state, by }) => `${JSON.stringify(state)} ${by}`);
}

async function hasCauses(address: string, noun: string, expected: readonly string[]): Promise<void> {
  await eventually(`the changes of ${noun} are ${expected.join(", ")}`, async () => {
    return JSON.stringify(await causes(address, noun)) === JSON.stringify(expected);
  });
  expect(await causes(address, noun)).toEqual(expected);
}

const button = { kind: "gpio-input", line: "GPIO5", key: "pressed" };
const relay = { kind: "gpio-output", line: "GPIO17", key: "on" };
const nouns = {
  led: { kind: "switch", key: "on" },
  button,
  bell: { ...relay, line: "GPIO18", pulse: 100 },
  pump: { ...relay, lease: 150 },
  lamp: { ...relay, line: "GPIO19" },
  heater: { ...relay, line: "GPIO20", guard: { led: { on: 1 } } },
  // biome-ignore lint/suspicious/noThenProperty: the word of a rule
  frost: { kind: "rule", when: { button: { pressed: 1 } }, then: { "PUT lamp": { on: 1 } } },
};

test("names the client, the boot, the lease, the pulse, the guard, the rule, the device and the reload", async () => {
  const service = await Service.start(nouns, { args: ["--simulate"], documents: ["changes 64"] });
  const { address } = service;
  await hasCauses(address, "lamp", ['{"on":0} boot']);
  await service.ask("PUT", "/led", { on: 1 });
  await hasCauses(address, "led", ['{"on":1} client 127.0.0.1']);
  await service.ask("PUT", "/pump", { on: 1 });
  await hasCauses(address, "pump", ['{"on":0} boot', '{"on":1} client 127.0.0.1', '{"on":0} lease']);
  await service.ask("POST", "/bell", {});
  await hasCauses(address, "bell", ['{"on":0} boot', '{"on":1} client 127.0.0.1', '{"on":0} pulse']);
  await service.ask("PUT", "/heater", { on: 1 });
  await service.ask("PUT", "/led", { on: 0 });
  await hasCauses(address, "heater", ['{"on":0} boot', '{"on":1} client 127.0.0.1', '{"on":0} guard led']);
  await service.ask("PUT", "/simulated.button", { pressed: 1 });
  await hasCauses(address, "button", ['{"pressed":1} device']);
  await hasCauses(address, "lamp", ['{"on":0} boot', '{"on":1} rule frost']);
  // What was noted goes on, and only what is new is of the reload.
  const before = (await changes(address)).map(({ noun, by }) => `${noun} ${by}`);
  service.configure({ ...nouns, fan: { ...relay, line: "GPIO21" } }, { documents: ["changes 64"] });
  await service.reload();
  await hasCauses(address, "fan", ['{"on":0} reload']);
  expect((await changes(address)).map(({ noun, by }) => `${noun} ${by}`)).toEqual([...before, "fan reload"]);
});

test("names the token, and a token sees the changes of the nouns that it may read", async () => {
  const panel = await makeToken("panel");
  const guest = await makeToken("guest");
  const file = tokenFile(panel.line, guest.line.replace("GET,PUT,POST,DELETE *", "GET led"));
  const configuration = {
    nouns: {
      led: { kind: "switch", key: "led", values: [0, 1], default: 0 },
      note: { kind: "value", default: { text: "" } },
    },
    access: { tokens: file },
  } as const;
  const { address } = forThisTest(await startNound(configuration));
  const send = async (path: string, state: State): Promise<void> => {
    const headers = { authorization: `Bearer ${panel.token}`, "content-type": "application/json" };
    const { status } = await fetch(`http://${address}${path}`, { method: "PUT", headers, body: JSON.stringify(state) });
    expect(status).toBe(200);
  };
  const stream = new EventClient(address, "/changes", `Authorization: Bearer ${guest.token}\r\n`);
  await eventually("the stream begins", () => stream.received.includes("retry"));
  await send("/note", { text: "a" });
  await send("/led", { led: 1 });
  // Who may not read all nouns learns no name of another token.
  const noted = { noun: "led", state: { led: 1 }, by: "token" };
  const told = { ...noted, by: "token panel" };
  expect(await changes(address, panel.token)).toMatchObject([{ noun: "note", by: "token panel" }, told]);
  expect(await changes(address, guest.token)).toMatchObject([noted]);
  expect((await fetch(`http://${address}/changes`)).status).toBe(401);
  await stream.count(1);
  expect(stream.events.map(({ data }) => data)).toMatchObject([noted]);
});

test.skipIf(mosquittoMissing() !== undefined)(
  `names the broker${mosquittoMissing() === undefined ? "" : ` (skipped: ${mosquittoMissing()})`}`,
  async () => {
    const broker = await Mosquitto.start();
    onTestFinished(() => broker.stop("SIGKILL"));
    const other = await OtherClient.connect(broker.port);
    onTestFinished(() => other.end());
    const mqtt = { server: broker.address, id: "hall", may: "* *" };
    const led = { kind: "switch", key: "on", values: [0, 1], default: 0 } as const;
    const { address } = forThisTest(await startNound({ nouns: { led }, mqtt }));
    await other.hears("nound/hall", "online");
    await other.publish("nound/hall/led/put", '{"on":1}');
    await hasCauses(address, "led", ['{"on":1} broker']);
  },
);

test("a stream begins with the list and goes on with each change, as fast as they come", async () => {
  const service = await Service.start({ led: nouns.led });
  await service.ask("PUT", "/led", { on: 1 });
  const stream = new EventClient(service.address, "/changes");
  await stream.count(1);
  for (const on of [0, 1, 0]) await service.ask("PUT", "/led", { on });
  await stream.count(4);
  expect(stream.events.map(({ data }) => (data as unknown as Change).state)).toEqual([
    { on: 1 },
    { on: 0 },
    { on: 1 },
    { on: 0 },
  ]);
  expect(await changes(service.address)).toEqual(stream.events.map(({ data }) => data));
});

test("10,000 changes by several clients take no more memory than 1,000, and the last 64 are listed", async () => {
  const { address, process } = await Service.start({ level: { kind: "value", default: { level: 0 } } });
  const body = `{"level":1${serialMark}}`;
  const head = "PUT /level HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
  const put = { bytes: `${head}Content-Length: ${body.length}\r\n\r\n${body}`, status: 200 };
  await sendLoad(address, [put], 1_000);
  const before = ownMemory(process.pid);
  await sendLoad(address, [put], 9_000);
  if (memoryNotJudged === undefined) expect(ownMemory(process.pid)).toBeLessThanOrEqual(before + 32);
  const states = (await changes(address)).map(({ state }) => state?.["level"]);
  expect(new Set(states).size).toBe(64);
  expect(states.at(-1)).toBe(((await (await fetch(`http://${address}/level`)).json()) as State)["level"]);
});
