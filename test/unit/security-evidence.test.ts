/** docs/dev/security-evidence.md names the tests that show each promise: they exist, and no promise goes without. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hasTitle, isTestFile, testsIn } from "./named-tests.ts";

const page = readFileSync(new URL("../../docs/dev/security-evidence.md", import.meta.url), "utf8");
const [, promised = ""] = /^## What is promised\n(.*?)^## /ms.exec(page) ?? [];
const rows = promised.split("\n").filter((line) => /^\| [A-Z]/.test(line));

function filesIn(text: string): readonly string[] {
  return [...text.matchAll(/`((?:unit|e2e|harness|hostile|fuzz|soak|packaging|targets)\/[^`]+)`/g)].map(
    ([, file = ""]) => file,
  );
}

test("every test file that is named exists", () => {
  expect(filesIn(page).length).toBeGreaterThan(20);
  expect(filesIn(page).filter((file) => !isTestFile(file))).toEqual([]);
});

test("every test that is named exists", () => {
  const named = testsIn(promised);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter(([file, title]) => !hasTitle(file, title))).toEqual([]);
});

test("every promise names its tests", () => {
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter((row) => filesIn(row).length === 0)).toEqual([]);
});
