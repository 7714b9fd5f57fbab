/** What holds for the binary of every target, and what the engine computes on each of its processors. */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { readElf } from "./elf.ts";
import { selectedTargets } from "./targets.ts";

describe.each(selectedTargets())("$name", ({ name, emulator, processors, budget, bigEndian }) => {
  const program = (file: string): string => resolve(import.meta.dirname, "../../build", name, file);
  const run = (processor: string, file: string, ...args: readonly string[]): string =>
    execFileSync(emulator, ["-cpu", processor, program(file), ...args], { encoding: "utf8" });

  test(`is at most ${budget} KB`, () => {
    expect(statSync(program("nound")).size).toBeLessThanOrEqual(budget * 1_000);
  });

  test("needs no dynamic linker and no library, and is stripped", () => {
    const { isDynamic, sections } = readElf(program("nound"));
    expect(isDynamic).toBe(false);
    expect(sections).toContain(".text");
    expect(sections.filter((section) => /^\.(symtab|strtab|debug)/.test(section))).toEqual([]);
  });

  test("knows no folder of the machine that built it", () => {
    expect(readFileSync(program("nound")).includes(resolve(import.meta.dirname, "../.."))).toBe(false);
  });

  test(`has ${bigEndian ? "the script as text" : "the script as bytecode, and not as text"}`, () => {
    // What is at the end of a script is code of its own, and no name or string that bytecode would have as well.
    const script = readFileSync(program("nound.js"), "utf8").trimEnd();
    expect(readFileSync(program("nound")).includes(script.slice(-200))).toBe(bigEndian);
  });

  test.each(processors)("starts on %s", (processor) => {
    expect(run(processor, "nound", "--version")).toMatch(/^nound \d+\.\d+\.\d+\+[0-9a-f]{7} /);
  });

  test.each(processors)("the engine computes the same as everywhere on %s", (processor) => {
    const { checks, failures, bigEndian: isBigEndian } = JSON.parse(run(processor, "nound-engine"));
    expect(failures).toEqual([]);
    expect(checks).toBeGreaterThan(70);
    expect(isBigEndian).toBe(bigEndian);
  });

  test.each(processors)("the engine passes its own test of its interface on %s", (processor) => {
    expect(run(processor, "engine-api-test")).toBe("");
  });
});
