/** `nound:memory` in the engine: when memory is scarce, and what is collected before. */
import { expect, test } from "vitest";
import { configurationFile, runNound } from "./harness/nound-process.ts";

/** Runs a program in the engine, with a limit of 8 MB. @returns what it prints. */
async function printed(source: string): Promise<string> {
  const program = `
    import { exit, setTimer } from "nound:loop";
    import { isScarce, limitMemory } from "nound:memory";
    import { printOutput } from "nound:system";
    const print = (...values) => printOutput(values.join(" ") + "\\n");
    const megabyte = () => new ArrayBuffer(1024 * 1024);
    const taken = [];
    const take = (megabytes) => { for (let count = 0; count < megabytes; count++) taken.push(megabyte()); };
    /** Makes megabytes of garbage that holds on to itself, so that only a collection frees it. */
    const litter = (megabytes) => {
      for (let count = 0; count < megabytes; count++) {
        const garbage = { held: megabyte() };
        garbage.self = garbage;
      }
    };
    ${source}
  `;
  const { status, stdout, stderr } = await runNound("--run", configurationFile(program));
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

const limit = "limitMemory(8 * 1024 * 1024);";

test("memory is scarce while three quarters of the limit are in use", async () => {
  const source = `${limit} print(isScarce()); take(4); print(isScarce()); take(2); print(isScarce());
    taken.length = 0; print(isScarce()); exit(0);`;
  expect(await printed(source)).toBe("false\nfalse\ntrue\nfalse\n");
});

test("memory is never scarce without a limit", async () => {
  expect(await printed("take(32); print(isScarce()); exit(0);")).toBe("false\n");
});

test("garbage is collected before memory is called scarce", async () => {
  expect(await printed(`${limit} litter(7); print(isScarce()); exit(0);`)).toBe("false\n");
});
