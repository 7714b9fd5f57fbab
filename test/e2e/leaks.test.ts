/**
 * The leak checks of the builds with sanitizers, by a program that leaks on purpose. In those builds every test that
 * ends a program in order is a test of its leaks: the engine aborts when an object or a string is left over,
 * LeakSanitizer reports the rest.
 */
import { describe, expect, test } from "vitest";
import { hasSanitizers } from "../harness/environment.ts";
import { NoundProcess, temporaryPath } from "../harness/nound-process.ts";
import { endedByThisTest } from "../harness/served.ts";

/** Runs the leaking program to its end. */
async function leak(what: string) {
  return await endedByThisTest(new NoundProcess([what], temporaryPath("none"), { program: "nound-leaking" })).ending();
}

describe.skipIf(!hasSanitizers)(`with sanitizers${hasSanitizers ? "" : " (skipped: this build has none)"}`, () => {
  test("a program that leaks nothing ends in order", async () => {
    expect(await leak("nothing")).toMatchObject({ status: 0, signal: null, stderr: "" });
  });

  test.each([
    ["object", /Object leaks:/],
    ["string", /String leaks:/],
  ])("a leaked %s of JavaScript ends the process with the engine's own account", async (what, report) => {
    const { status, signal, stdout } = await leak(what);
    expect(status === 0 && signal === null, "it ended in order").toBe(false);
    expect(stdout).toMatch(report);
  });

  test("memory that C never frees is reported by LeakSanitizer", async () => {
    const { status, stderr } = await leak("memory");
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/LeakSanitizer: detected memory leaks[\s\S]*in leak /);
  });
});
