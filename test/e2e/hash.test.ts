/** `nound:hash` and the random numbers of `nound:system`, in the engine. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { printedBy } from "../harness/engine-program.ts";

/** Runs a program in the engine. @returns what it prints. */
function printed(source: string): Promise<string> {
  return printedBy(`${source}\nexit(0);`);
}

const imports = `
  import { keyed, sha256 } from "nound:hash";
  import { exit } from "nound:loop";
  import { printOutput, randomHex } from "nound:system";
`;

test("SHA-256 of any bytes is what Node says, around each end of a block", async () => {
  const lengths = [...Array.from({ length: 140 }, (_, length) => length), 1_000, 100_000];
  const hashes = await printed(`${imports}
    for (const length of ${JSON.stringify(lengths)}) {
      let bytes = "";
      for (let index = 0; index < length; index++) bytes += String.fromCharCode((index * 7 + length) & 255);
      printOutput(sha256(bytes) + "\\n");
    }
  `);
  const expected = lengths.map((length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + length) & 255);
    return createHash("sha256").update(bytes).digest("hex");
  });
  expect(hashes.trimEnd().split("\n")).toEqual(expected);
});

test("a character that is no byte is refused", async () => {
  const source = `try { sha256("\\u0100"); } catch (error) { printOutput(error.name); }`;
  expect(await printed(`${imports}${source}`)).toBe("RangeError");
});

test("the hash for tables is the same for a text, another for each other text, and in each process", async () => {
  const source = `const hashes = new Map();
    const texts = ["", "\\0", "\\0\\0", "\\u0100", "x".repeat(70_000), "x".repeat(69_999) + "y"];
    for (let length = 1; length <= 130; length++)
      for (const last of ["a", "b", "\\xff"]) texts.push("a".repeat(length - 1) + last, last + "a".repeat(length));
    for (const text of new Set(texts)) {
      const again = text.slice(0, 1) + text.slice(1);
      if (keyed(text) !== keyed(again) || keyed(text).length !== 16) printOutput("not the same\\n");
      hashes.set(keyed(text), text);
    }
    printOutput(hashes.size === new Set(texts).size ? "all different " : "some are alike ");
    printOutput(encodeURIComponent(keyed("a")));`;
  const [one, other] = [await printed(`${imports}${source}`), await printed(`${imports}${source}`)];
  for (const text of [one, other]) expect(text).toMatch(/^all different /);
  expect(one).not.toBe(other);
});

test("random numbers have the length that was asked for, and are others each time", async () => {
  const source = `for (const count of [1, 20, 256, 256]) printOutput(randomHex(count, true) + "\\n");
    for (const count of [0, 257]) try { randomHex(count, false); } catch (error) { printOutput(error.name + "\\n"); }`;
  const lines = (await printed(`${imports}${source}`)).trimEnd().split("\n");
  expect(lines.slice(0, 4).map((line) => line.length)).toEqual([2, 40, 512, 512]);
  for (const line of lines.slice(0, 4)) expect(line).toMatch(/^[0-9a-f]+$/);
  expect(lines[2]).not.toBe(lines[3]);
  expect(lines.slice(4)).toEqual(["RangeError", "RangeError"]);
});
