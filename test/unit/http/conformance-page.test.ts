/** docs/http.md names the tests that show each requirement: they exist, and no row goes without one or a reason. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../../../docs/http.md", import.meta.url), "utf8");

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

/** The tests of a row, as files below test/ and titles. */
function testsOf({ tests }: Row): readonly (readonly [file: string, title: string])[] {
  return [...tests.matchAll(/`([^`]+)`((?:,? "[^"]+")+)/g)].flatMap(([, file = "", titles = ""]) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => [file, title] as const),
  );
}

/** Whether a file below test/ has this title, as a whole string. */
function hasTitle(file: string, title: string): boolean {
  const url = new URL(`../../${file}`, import.meta.url);
  if (!existsSync(url)) return false;
  const source = readFileSync(url, "utf8");
  return ['"', "'", "`"].some((quote) => source.includes(`${quote}${title}${quote}`));
}

test("every test that is named exists", () => {
  const named = rows.flatMap(testsOf);
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter(([file, title]) => !hasTitle(file, title))).toEqual([]);
});

test("every requirement names its tests, or says why it has none", () => {
  expect(rows.length).toBeGreaterThan(100);
  const silent = rows.filter((row) => testsOf(row).length === 0 && !row.answer.startsWith("Does not apply"));
  expect(silent.map(({ section, requirement }) => `${section} ${requirement}`)).toEqual([]);
});

test("no table of the page has a row that is read wrongly", () => {
  const cells = page.split("\n").filter((line) => line.startsWith("|"));
  expect(cells.filter((line) => line.split("|").length !== 7)).toEqual([]);
});
