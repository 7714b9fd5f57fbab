/** What the bundle of an application has of the global names, and which modules it refuses. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BuildFailure, build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { applicationOptions } from "../../../tools/bundle/application.mjs";

async function bundle(source: string): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "nound-application-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "main.ts"), source);
  const options = applicationOptions(join(root, "main.ts"), join(root, "out.js"), { root });
  const { outputFiles } = await build({ ...options, write: false, logLevel: "silent" });
  return outputFiles[0]?.text ?? "";
}

/** @returns what is said of a source that cannot be bundled. */
async function mistakesOf(source: string): Promise<readonly string[]> {
  try {
    await bundle(source);
  } catch (error) {
    return (error as BuildFailure).errors.flatMap(({ text, notes }) => [text, ...notes.map((note) => note.text)]);
  }
  return [];
}

test("an application has those of the global names that it uses, by whatever way it names them", async () => {
  expect(await bundle("export const a = 1;")).not.toMatch(/TextDecoder|A timer takes|console/);
  const text = await bundle("globalThis.setTimeout(() => {}, 1); new TextEncoder();");
  expect(text).toContain('from "nound:loop"');
  expect(text).toContain("encodeInto");
  expect(text).not.toContain("globalThis.setTimeout");
});

test.each([
  ['import { readFileSync } from "node:fs"; readFileSync("x");', "node:fs", "readText and listFolder"],
  ['import fs from "fs"; fs.readFileSync("x");', "fs", "readText and listFolder"],
  ['import { setTimeout } from "node:timers/promises"; await setTimeout(1);', "node:timers/promises", "sleep of"],
  ['import { inflate } from "zlib"; inflate();', "zlib", "nothing of"],
])("%s is refused by a sentence that says what to use instead", async (source, name, instead) => {
  const [sentence, ...more] = await mistakesOf(source);
  expect(sentence).toContain(`A device has none of Node's modules: instead of "${name}", ${instead}`);
  expect(more).toEqual([]);
});
