/** `nound:interruption` in the engine: a noun's code is interrupted wherever it runs, nound's own nowhere. */
import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { hasSanitizers } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { expectState } from "../harness/expected-response.ts";
import { configurationFile, runApplication, startNound } from "../harness/nound-process.ts";
import { Pseudoterminal } from "../harness/pseudoterminal.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { put } from "../harness/request.ts";
import { forThisTest } from "../harness/served.ts";
import { nouns } from "../wire/nouns.ts";

/**
 * Runs a program with a limit of 100 ms. `spin` uses the processor for a time, or without an end.
 * @returns what it prints: also "interrupted" for each interruption that ends a callback or a job.
 */
async function printed(source: string): Promise<string> {
  const program = `
    import { call, exempt, isInterruption, limitCalls } from "nound:interruption";
    import { exit, onUncaughtError, setTimer, turnTime } from "nound:loop";
    import { printOutput } from "nound:system";
    limitCalls(100);
    const words = [];
    const end = () => { printOutput(words.join(" ")); exit(0); };
    onUncaughtError((error) => words.push(isInterruption(error) ? "interrupted" : String(error)));
    const spin = (time = Infinity) => { for (const since = turnTime(); turnTime() - since < time; ); };
    ${source}
  `;
  const { status, stdout, stderr } = await runApplication(configurationFile(program));
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

test.each([
  ["in a guarded call", "setTimer(() => call(spin), 0);"],
  ["in a job of a promise", "setTimer(() => queueMicrotask(spin), 0);"],
  ["after an await", "setTimer(async () => { await null; spin(); }, 0);"],
  ["by awaiting without an end", "setTimer(async () => { for (;;) await null; }, 0);"],
  ["in a guarded call from an exempt one", "setTimer(() => exempt(() => call(spin)), 0);"],
  ["after an exempt call", "setTimer(() => queueMicrotask(() => { exempt(spin, 1); spin(); }), 0);"],
])("a noun that uses the processor %s is interrupted", async (_, source) => {
  expect(await printed(`${source} setTimer(end, 10);`)).toBe("interrupted");
});

test.skipIf(!existsSync("/usr/bin/python3"))("a callback of a serial device is interrupted", async () => {
  const device = await Pseudoterminal.open();
  onTestFinished(() => device.unplug());
  const output = printed(`
    import { openPort } from "nound:serial";
    const settings = { baudRate: 115200, dataBits: 8, parity: "none", stopBits: 1, flowControl: "none" };
    const port = openPort("${device.path}", settings);
    port.handler = { onBytes: () => spin(), onDrain() {}, onGone() {} };
    port.write("ready");
    const look = () => (words.length > 0 ? end() : setTimer(look, 5));
    look();
  `);
  await eventually("the program listens", () => device.received.toString() === "ready");
  device.send("x");
  expect(await output).toBe("interrupted");
});

test.each([
  ["in a callback from the loop", "setTimer(() => { spin(1500); words.push('done'); }, 0);"],
  [
    "in a job of a promise, exempt",
    "setTimer(() => queueMicrotask(() => { exempt(spin, 1500); words.push('done'); }), 0);",
  ],
  ["in a guarded call, exempt", "setTimer(() => call(() => { exempt(spin, 1500); words.push('done'); }), 0);"],
  [
    "in a guarded call, exempt, which does not count as the noun's",
    "setTimer(() => call(() => { spin(30); exempt(spin, 1500); spin(30); words.push('done'); }), 0);",
  ],
])("nound itself may use the processor %s", async (_, source) => {
  expect(await printed(`${source} setTimer(end, 10);`)).toBe("done");
});

test("each of many jobs that follow one callback may use the processor as long as a call may", async () => {
  const source = `
    setTimer(() => {
      for (let job = 0; job < 40; job++) queueMicrotask(() => { spin(20); words.push("job"); });
    }, 0);
    setTimer(end, 10);
  `;
  expect(await printed(source)).toBe("job ".repeat(40).trim());
});

test("a body of 1 MB with escapes is answered, though it takes longer to read than a noun may take", async () => {
  const limits = { bodyBytes: 1_048_576, nounBusyTime: 100 };
  const nound = forThisTest(await startNound({ nouns, limits }));
  const connection = await RawConnection.open(nound.address);
  // The sanitizers need as long for less.
  const state = { text: '"'.repeat(hasSanitizers ? 64_000 : 524_000) };
  connection.send(put("/note", state));
  expectState(await connection.response("PUT"), state);
  connection.drop();
});
