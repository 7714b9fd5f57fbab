/** The program that `npm run dev` of an application serves with. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { developmentTarget } from "../../../cli/stock-build.mjs";

test("an application is served by the program of `npm start`, and by the complete one where that was built", () => {
  const builds = mkdtempSync(join(tmpdir(), "nound-builds-"));
  onTestFinished(() => rmSync(builds, { recursive: true }));
  const folderOf = (target: string): string => join(builds, target);
  expect(developmentTarget(folderOf)).toBe("demonstration");
  mkdirSync(folderOf("host"));
  expect(developmentTarget(folderOf)).toBe("demonstration");
  writeFileSync(join(folderOf("host"), "nound"), "");
  expect(developmentTarget(folderOf)).toBe("host");
});
