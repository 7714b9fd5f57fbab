/** docs/dev/http.md names the tests that show each requirement: they exist, and no row goes without one or a reason. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hasTitle, testsIn } from "../named-tests.ts";

const page = readFileSync(new URL("../../../docs/dev/http.md", import.meta.url), "utf8");

interface Row {
  readonly section: string;
  readonly requirement: string;
  readonly answer: string;
  readonly tests: string;
}

const rows: readonly Row[] = page
  .split("\n")
  .filter((line) => /^\| [0-9C]/.test(line))
  .map((line) => {
    const [, section = "", , requirement = "", answer = "", tests = ""] = line.split("|").map((cell) => cell.trim());
    return { section, requirement, answer, tests };
  });

test("every test that is named exists", () => {
  const named = rows.flatMap(({ tests }) => testsIn(tests));
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter(([file, title]) => !hasTitle(file, title))).toEqual([]);
});

test("every requirement names its tests, or says why it has none", () => {
  expect(rows.length).toBeGreaterThan(100);
  const silent = rows.filter(
    ({ tests, answer }) => testsIn(tests).length === 0 && !answer.startsWith("Does not apply"),
  );
  expect(silent.map(({ section, requirement }) => `${section} ${requirement}`)).toEqual([]);
});

test("no table of the page has a row that is read wrongly", () => {
  const cells = page.split("\n").filter((line) => line.startsWith("|"));
  expect(cells.filter((line) => line.split("|").length !== 7)).toEqual([]);
});
