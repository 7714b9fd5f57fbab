/**
 * A program for the length of a test or of a file. After every use, it must end with status 0 and have printed nothing.
 */
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import type { Ending, NoundProcess } from "./nound-process.ts";

/** A clean ending: status 0, nothing on standard output, nothing on standard error. */
export const cleanEnding: Ending = { status: 0, signal: null, stdout: "", stderr: "" };

/**
 * Starts a program before the file's (or the describe's) first test, ends it after the last, and checks how it ended.
 * @returns the running program, to be asked for inside tests.
 */
export function forAllTests(start: () => Promise<NoundProcess>): () => NoundProcess {
  let running: NoundProcess | undefined;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(async () => {
    const ending = await running?.stop();
    expect(ending).toEqual(cleanEnding);
  });
  return () => {
    if (running === undefined) {
      throw new Error("The program runs only inside tests.");
    }
    return running;
  };
}

/** Ends a program with the running test and checks how it ended. */
export function forThisTest(running: NoundProcess): NoundProcess {
  onTestFinished(async () => {
    expect(await running.stop()).toEqual(cleanEnding);
  });
  return running;
}

/** Makes sure that a program whose ending is the test's own subject does not outlive the test. */
export function endedByThisTest(running: NoundProcess): NoundProcess {
  onTestFinished(() => running.kill());
  return running;
}
