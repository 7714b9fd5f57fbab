/** Where `npm test` has the tests write their programs: not in a folder that is mounted with `noexec`. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runsPrograms } from "../../../tools/build/programs.mjs";

test("a folder is tried by a program, of which nothing is left", () => {
  const folder = mkdtempSync(join(tmpdir(), "nound-programs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(runsPrograms(folder)).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});

test.each(["/proc", "/nowhere"])("no program runs in %s", (folder) => {
  expect(runsPrograms(folder)).toBe(false);
});
