/** The program without an application of its own, and an application that is put into it. */

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { putPayload } from "../../cli/payload/elf-slot.mjs";
import { makePayload } from "../../cli/payload/payload.mjs";
import { commandOf, hasSanitizers } from "../harness/environment.ts";
import { temporaryPath } from "../harness/nound-process.ts";
import { patience } from "../harness/patience.ts";

const [...command] = commandOf("nound-runtime");
const runtime = command.at(-1) ?? "";

/** Runs a program of these bytes to its end. */
function outcomeOf(program: Uint8Array) {
  const path = temporaryPath("program");
  writeFileSync(path, program, { mode: 0o755 });
  const [runner = path, ...rest] = [...command.slice(0, -1), path];
  const { status, stdout, stderr } = spawnSync(runner, rest, { encoding: "utf8", timeout: patience });
  return { status, stdout, stderr };
}

/** The payload of an application's texts, by their names. */
function textPayload(texts: Readonly<Record<string, string>>): Buffer {
  const modules = Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  return makePayload("text", modules);
}

/** An application that prints a line and ends. */
function printing(text: string): Buffer {
  const script = `import { printOutput } from "nound:system"; import { exit } from "nound:loop";
    printOutput(${JSON.stringify(`${text}\n`)}); exit(0);`;
  return textPayload({ "printing.js": script });
}

// The system's linker, which the sanitizers need, was not tried with the section.
describe.skipIf(hasSanitizers)("a program that is linked already", () => {
  const refusal = "nound: cannot start: this program has no application in it, or one that is damaged\n";

  test("runs the application that was put into it, and the next one when that is put in its place", () => {
    const program = readFileSync(runtime);
    const first = putPayload(program, printing("the first, which is the longer one".repeat(1_000)));
    expect(outcomeOf(first).stdout).toMatch(/^(the first, which is the longer one){1000}\n$/);
    expect(outcomeOf(putPayload(first, printing("the second")))).toEqual({
      status: 0,
      stdout: "the second\n",
      stderr: "",
    });
  });

  test("runs an application of several modules", () => {
    const payload = textPayload({
      "main.js": `import { say } from "app.parts/words.js";
        import { load } from "nound:script";
        say(load("app.parts/ünï.js").text);`,
      "app.parts/words.js": `import { printOutput } from "nound:system";
        import { exit } from "nound:loop";
        export const say = (text) => { printOutput(text); exit(3); };`,
      "app.parts/ünï.js": 'export const text = "größer\\n";',
    });
    expect(outcomeOf(putPayload(readFileSync(runtime), payload))).toEqual({
      status: 3,
      stdout: "größer\n",
      stderr: "",
    });
  });

  test("names the application's file in a stack trace", () => {
    const payload = textPayload({ "my-device.js": "\nthrow new Error('broken');" });
    const { status, stderr } = outcomeOf(putPayload(readFileSync(runtime), payload));
    expect(status).toBe(70);
    expect(stderr).toMatch(/^nound: Error: broken\n.*\(my-device\.js:2:/);
  });

  test("says in a sentence that it has no application", () => {
    expect(outcomeOf(readFileSync(runtime))).toEqual({ status: 70, stdout: "", stderr: refusal });
  });

  test.each([
    ["a size beyond its end", (payload: Buffer) => payload.writeUInt32LE(payload.length, 16)],
    ["a form that there is not", (payload: Buffer) => payload.writeUInt32LE(7, 20)],
    ["a name beyond its end", (payload: Buffer) => payload.writeUInt32LE(0xffffffff, 32)],
    ["a module beyond its end", (payload: Buffer) => payload.writeUInt32LE(0xfffffff0, 36)],
    ["a module without its last byte", (payload: Buffer) => payload.writeUInt32LE(payload.length - 33, 16)],
    ["a name that does not end where it says", (payload: Buffer) => payload.writeUInt32LE(3, 32)],
    ["the size 0", (payload: Buffer) => payload.writeUInt32LE(0, 16)],
  ])("refuses a payload with %s", (_, damage) => {
    const payload = printing("never printed");
    damage(payload);
    expect(outcomeOf(putPayload(readFileSync(runtime), payload))).toEqual({ status: 70, stdout: "", stderr: refusal });
  });
});
