/** The program without an application of its own, and an application that is put into it. */

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { putPayload } from "../../cli/payload/elf-slot.mjs";
import { makePayload } from "../../cli/payload/payload.mjs";
import { leanBytecode } from "../../tools/bundle/lean-bytecode.mjs";
import { buildDirectory, commandOf, hasSanitizers, isEmulated } from "../harness/environment.ts";
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

/** The bytecode of an application's text, as nound-embed writes it. */
function bytecodeOf(name: string, text: string): Buffer {
  const folder = temporaryPath("bytecode");
  mkdirSync(folder);
  const path = join(folder, name);
  writeFileSync(path, text);
  const { status, stderr } = spawnSync(resolve(buildDirectory, "nound-embed"), [path], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  return readFileSync(`${path}.bytecode`);
}

/** Uses each kind of value and of variable that bytecode can have, and prints the stack of an error at the end. */
const manyForms = `import { printOutput } from "nound:system";
import { exit } from "nound:loop";
const say = (...values) => printOutput(values.join(" ") + "\\n");
class Counter {
  static #made = 0;
  #count;
  constructor(count = 1) { this.#count = count; Counter.#made += 1; }
  #next(step) { const before = this.#count; this.#count += step; return () => before + this.#count; }
  get count() { return this.#count; }
  advance({ step = 2, ...rest }, [first, ...others]) {
    return this.#next(step)() + Object.keys(rest).length + others.length;
  }
}
function* evens(end) { for (let value = 0; value < end; value += 2) yield value; }
const later = [];
for (let index = 0; index < 3; index++) { const square = index * index; later.push(() => square + index); }
const tag = (strings, ...values) => strings.raw.join("|") + values.length;
function own() { return arguments.length + arguments[0]; }
const shadowed = (value) => { { const value = 5; later.push(() => value); } return value; };
say(new Counter().advance({ a: 1, b: 2 }, [1, 2, 3]), [...evens(9)], shadowed(4), later.map((one) => one()));
say(tag\`a\${1}\\n\${2}\`, own(40, 1));
say(1.5, 12345678901234567890n, -7, /a(?<name>b+)/u.exec("abb").groups.name, "größer €");
label: for (const outer of [1, 2]) for (const inner of [1, 2]) { if (inner === 2) continue label; say(outer, inner); }
async function fails(value) {
  try { await value; null.missing; } catch (error) { say(error.name, value); }${"\n".repeat(9)}
  const twice = (number) => number * 2; say(twice(21)); const broken = undefined; return twice(broken.missing);
}
fails(1).catch((error) => {
  say(error.stack);
  try { early; } catch (mistake) { say(mistake.name); }
  exit(0);
  let early = 1;
});
`;

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

  test.skipIf(isEmulated)("runs lean bytecode as it runs the whole one, but for the columns of stack traces", () => {
    const whole = bytecodeOf("forms.js", manyForms);
    const lean = leanBytecode(whole);
    expect(lean.length).toBeLessThan(0.9 * whole.length);
    expect(
      [whole, lean].map((bytes) => bytes.includes("square")),
      "a name of a variable alone",
    ).toEqual([true, false]);
    const [ofWhole, ofLean] = [whole, lean].map((bytes) =>
      outcomeOf(putPayload(readFileSync(runtime), makePayload("bytecode", [{ name: "forms.js", bytes }]))),
    );
    expect(ofWhole?.stdout).toContain("at fails (forms.js:35:");
    expect(ofWhole?.stdout).toMatch(/ReferenceError\n$/);
    const withoutColumns = (text = "") => text.replace(/:(\d+):\d+\)/g, ":$1)");
    expect({ ...ofLean, stdout: withoutColumns(ofLean?.stdout) }).toEqual({
      ...ofWhole,
      stdout: withoutColumns(ofWhole?.stdout),
    });
  });

  test("refuses to make lean what another version of the engine wrote", () => {
    const bytes = Buffer.from([27, 0, 0, 0, 0, 0]);
    expect(() => leanBytecode(bytes)).toThrow("Bytecode is of version 27");
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
