/** Errors that nobody caught, in the engine: who is told of them, and when they end the process. */
import { expect, test } from "vitest";
import { configurationFile, runApplication } from "../harness/nound-process.ts";

/** Runs a program. @returns how it ended, and what it printed. */
async function run(source: string) {
  const program = `
    import { exit, onUncaughtError, onUnhandledRejection, setNounTimer, setTimer } from "nound:loop";
    import { printOutput } from "nound:system";
    const fail = (message) => { throw new Error(message); };
    ${source}
  `;
  return await runApplication(configurationFile(program));
}

/** Ways to throw an error that nobody catches, while the loop runs. */
const ways = {
  "a timer": 'setTimer(() => fail("first"), 1);',
  "a job": 'setTimer(() => queueMicrotask(() => fail("first")), 1);',
  "an endless loop": "limitCalls(50); setTimer(() => call(() => { for (;;); }), 1);",
  "an endless loop of a noun's timer": "limitCalls(50); setNounTimer(() => { for (;;); }, 1);",
  "a rejected promise": 'setTimer(() => void Promise.reject(new Error("first")), 1);',
};

test.each(Object.entries(ways))(
  "an error of %s ends no process, though the handlers throw as well",
  async (_, source) => {
    const { status, stdout, stderr } = await run(`
    import { call, limitCalls } from "nound:interruption";
    let calls = 0;
    const handle = () => { calls += 1; fail("second"); };
    onUncaughtError(handle);
    onUnhandledRejection(handle);
    ${source}
    const look = () => (calls > 0 ? (printOutput("served"), exit(0)) : setTimer(look, 1));
    look();
  `);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "served", stderr: "" });
  },
);

test("without a handler, an error ends the process with status 70 and its own sentence", async () => {
  const { status, stderr } = await run('setTimer(() => fail("first"), 1); setTimer(() => exit(0), 10_000);');
  expect(status).toBe(70);
  expect(stderr).toMatch(/^nound: Error: first\n/);
});

test("a start whose error cannot be reported ends with status 70 and a sentence", async () => {
  const { status, stderr } = await run(`
    onUncaughtError(() => fail("second"));
    queueMicrotask(() => fail("first"));
    setTimer(() => exit(0), 10_000);
  `);
  expect(status).toBe(70);
  expect(stderr).toMatch(/^nound: Error: second\n/);
});
