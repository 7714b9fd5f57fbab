/** A bundle finds npm libraries by what their package.json says. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const tool = resolve(import.meta.dirname, "../../../tools/build/bundle.mjs");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nound-libraries-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Bundles a program that imports a library with this package.json. */
function bundle(description: object): string {
  const library = join(folder, "node_modules/plain");
  mkdirSync(library, { recursive: true });
  writeFileSync(join(library, "package.json"), JSON.stringify({ name: "plain", ...description }));
  writeFileSync(join(library, "common.js"), "exports.answer = 'of CommonJS';");
  writeFileSync(join(library, "module.js"), "export const answer = 'of a module';");
  writeFileSync(join(folder, "main.js"), 'import { answer } from "plain";\nglobalThis.answer = answer;');
  execFileSync(process.execPath, [tool, "--root", folder, join(folder, "main.js"), join(folder, "bundle.js")]);
  return readFileSync(join(folder, "bundle.js"), "utf8");
}

test.each([
  ["exports", { exports: "./module.js" }, "of a module"],
  ["a module", { main: "./common.js", module: "./module.js" }, "of a module"],
  ["a main file only", { main: "./common.js" }, "of CommonJS"],
])("a library that declares %s is bundled", (_, description, answer) => {
  expect(bundle(description)).toContain(answer);
});
