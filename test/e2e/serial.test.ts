/** An application of "nound" and a serial device: a pseudoterminal, whose other end the test has. */
import { existsSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import { rtuFrame } from "../../ts/parts/modbus/framing.ts";
import { freeAddress } from "../harness/address.ts";
import { bundleApplication, startBundle } from "../harness/bundled-application.ts";
import { eventually } from "../harness/eventually.ts";
import { NoundProcess, startConfigured, temporaryPath } from "../harness/nound-process.ts";
import { Pseudoterminal } from "../harness/pseudoterminal.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { del, get, post, put } from "../harness/request.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";
import { ample } from "../harness/time-limits.ts";

let bundle: string;
beforeAll(async () => {
  bundle = await bundleApplication("test/e2e/serial-application.ts");
});

async function terminal(): Promise<Pseudoterminal> {
  const opened = await Pseudoterminal.open();
  onTestFinished(() => opened.unplug());
  return opened;
}

async function ask(nound: NoundProcess, bytes: string): Promise<{ readonly status: number; readonly state: State }> {
  const connection = await RawConnection.open(nound.address);
  connection.send(bytes);
  const { status, body } = await connection.response();
  connection.drop();
  return { status, state: JSON.parse(body.toString()) as State };
}

/** Bytes of a question for registers. */
const questionLength = 8;

/** All the values that a byte has, those that a terminal would take for commands among them. */
const allBytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** A test with a pseudoterminal, which Python opens; skipped on a machine without. */
const onTerminal = test.skipIf(!existsSync("/usr/bin/python3"));

onTerminal("bytes of every value go out as they are", async () => {
  const device = await terminal();
  const nound = forThisTest(await startBundle(bundle, device.path));
  const send = Array.from(allBytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
  await ask(nound, put("/serial", { send, times: 1, within: 0 }));
  await eventually("the bytes arrive", () => device.received.length >= 256);
  expect(device.received).toEqual(Buffer.from(allBytes));
});

onTerminal("bytes of every value come in as they are, up to the line's end", async () => {
  const device = await terminal();
  const nound = forThisTest(await startBundle(bundle, device.path));
  const answer = ask(nound, post("/serial", { send: "T?", within: ample }));
  await eventually("the question arrives", () => device.received.toString() === "T?\n");
  const line = Buffer.from(allBytes.filter((byte) => byte !== 0x0a));
  device.send(Buffer.concat([line, Buffer.from("\r\nmore")]));
  expect((await answer).state["answer"]).toBe(line.toString("hex"));
});

onTerminal("a device that does not answer in time fails the request, and answers the next", async () => {
  const device = await terminal();
  const nound = forThisTest(await startBundle(bundle, device.path));
  expect((await ask(nound, post("/serial", { send: "T?", within: 200 }))).status).toBe(500);
  const answer = ask(nound, post("/serial", { send: "U?", within: ample }));
  await eventually("the second question arrives", () => device.received.toString() === "T?\nU?\n");
  device.send("21.5\n");
  const { status, state } = await answer;
  expect(status).toBe(200);
  expect(Buffer.from(String(state["answer"]), "hex").toString()).toBe("21.5");
});

onTerminal("what a device does not take at once waits, and arrives whole", async () => {
  const device = await terminal();
  const nound = forThisTest(await startBundle(bundle, device.path));
  const count = 20_000;
  expect((await ask(nound, put("/serial", { send: "0123456789", times: count, within: 0 }))).state).toMatchObject({
    drained: 0,
  });
  await eventually("all bytes arrive", () => device.received.length >= 10 * count);
  expect(device.received.equals(Buffer.from("0123456789".repeat(count)))).toBe(true);
  await eventually("the program is told so", async () => (await ask(nound, get("/serial"))).state["drained"] === 1);
});

onTerminal("a device that is unplugged is reported as gone, and the service goes on", async () => {
  const device = await terminal();
  const nound = forThisTest(await startBundle(bundle, device.path));
  expect((await ask(nound, get("/serial"))).state).toMatchObject({ gone: false });
  device.unplug();
  await eventually("the program knows", async () => (await ask(nound, get("/serial"))).state["gone"] === true);
  expect((await ask(nound, put("/serial", { send: "x", times: 1, within: 0 }))).status).toBe(200);
  expect((await ask(nound, post("/serial", { send: "x", within: ample }))).status).toBe(500);
});

onTerminal("a question that is under way when the port is closed fails, and the program ends in order", async () => {
  const device = await terminal();
  const nound = forThisTest(await startBundle(bundle, device.path));
  expect((await ask(nound, del("/serial"))).status).toBe(200);
  expect((await ask(nound, post("/serial", { send: "T?", within: ample }))).status).toBe(500);
});

/** Answers each question to unit 1 for a register. @param value of the register. */
function answerWith(device: Pseudoterminal, value: number): void {
  let answered = 0;
  const timer = setInterval(() => {
    const count = Math.floor(device.received.length / questionLength);
    for (; answered < count; answered++) {
      device.send(Buffer.from(rtuFrame(1, String.fromCharCode(3, 2, value >> 8, value & 255)), "latin1"));
    }
  }, 10);
  onTestFinished(() => clearInterval(timer));
}

onTerminal("a Modbus unit is asked again when its device was unplugged and is back", async () => {
  const path = temporaryPath("tty");
  const first = await terminal();
  symlinkSync(first.path, path);
  answerWith(first, 7);
  const listen = await freeAddress();
  const keys = { value: { at: "holding 0" } };
  const nouns = { meter: { kind: "modbus", device: path, keys }, note: { kind: "value", default: { n: 0 } } };
  const nound = forThisTest(await startConfigured({ listen, nouns }, listen));
  await ask(nound, put("/note", { n: 7 }));
  expect((await ask(nound, get("/meter"))).state).toMatchObject({ value: 7 });
  first.unplug();
  unlinkSync(path);
  await eventually("the noun fails", async () => (await ask(nound, get("/meter"))).state["value"] !== 7);
  const second = await terminal();
  symlinkSync(second.path, path);
  answerWith(second, 8);
  await eventually("the unit answers", async () => (await ask(nound, get("/meter"))).state["value"] === 8);
  expect((await ask(nound, get("/note"))).state).toEqual({ n: 7 });
});

/** Starts the application where it cannot start. @returns what it says. */
async function refusal(...args: readonly string[]): Promise<string> {
  const nound = endedByThisTest(new NoundProcess(["127.0.0.1:0", ...args], "", { application: bundle }));
  const { status, stderr } = await nound.ending();
  expect(status).not.toBe(0);
  return stderr;
}

onTerminal("a device that another program has is refused", async () => {
  const device = await terminal();
  forThisTest(await startBundle(bundle, device.path));
  expect(await refusal(device.path)).toContain(`cannot open ${device.path}: another program has it`);
});

test("what is no serial device is refused with a sentence", async () => {
  expect(await refusal("/dev/ttyNone0")).toContain("cannot open /dev/ttyNone0: there is no such device");
  expect(await refusal("/dev/null")).toContain("cannot open /dev/null: it is not a serial device");
  const file = temporaryPath("file");
  writeFileSync(file, "");
  expect(await refusal(file)).toContain("it is not a serial device");
});

onTerminal("settings that a device does not have are refused with a sentence", async () => {
  const device = await terminal();
  expect(await refusal(device.path, '{"baudRate":12345}')).toContain("12345 is not a rate of serial devices");
  expect(await refusal(device.path, '{"dataBits":9}')).toContain("5 to 8 data bits");
  expect(await refusal(device.path, '{"parity":"mark"}')).toContain('"mark" is not a word for parity');
  // A pseudoterminal has eight data bits, whatever it is told.
  expect(await refusal(device.path, '{"dataBits":7,"parity":"even"}')).toContain("it does not have these settings");
});
