import { expect, test } from "vitest";
import { failedRuns, report } from "../../bench/report.ts";
import { markdownTable } from "../../bench/table.ts";
import { good, runs, withRuns } from "./results.ts";

test("a table's columns are aligned, numbers to the right", () => {
  expect(
    markdownTable(
      ["what", "µs"],
      [
        ["GET", "8.5"],
        ["a longer one", "1,200"],
      ],
    ),
  ).toBe(
    [
      "| what         |    µs |",
      "| ------------ | ----: |",
      "| GET          |   8.5 |",
      "| a longer one | 1,200 |",
      "",
    ].join("\n"),
  );
});

test("the report has the medians of all rounds, and a dash for a server that did not take part", () => {
  expect(report(good)).toMatch(/^\| GET +\| +9\.0 \| +8\.0 \| +20\.0 \|$/m);
  expect(report(good)).toMatch(/^\| close +\| +30\.0 \| +22\.0 \| +– \|$/m);
});

test("latencies are medians, and those that are not known have a dash", () => {
  expect(report(good)).toMatch(/^\| GET +\| +– \| +– \| +0\.20 \/ 2\.00 \|$/m);
});

test("what was skipped is said", () => {
  expect(report({ ...good, skipped: ["nginx is not installed"] })).toContain("\n- nginx is not installed\n");
});

test("failed requests are said, with where they failed", () => {
  const failing = runs(8, 8, 8).map((run, index) => ({ ...run, errors: index }));
  const results = withRuns(good, "get", "nound", failing);
  expect(failedRuns(good)).toEqual([]);
  expect(failedRuns(results)).toEqual(["GET, nound: 3 requests failed"]);
  expect(report(results)).toContain("\n- GET, nound: 3 requests failed\n");
});

test("each line that must hold has its verdict", () => {
  const text = report(withRuns(good, "close", "nound", runs(99, 99, 99)));
  expect(text).toMatch(/^\| A connection each: .* \| +NOT HELD \|$/m);
  expect(text).toMatch(/^\| PUT: .* \| +held \|$/m);
});

test("a machine that was busy is said to have been", () => {
  const busy = { ...good, machine: { ...good.machine, loadBefore: 3 } };
  expect(report(busy)).toContain("The machine had other work to do");
  expect(report(good)).not.toContain("The machine had other work to do");
});
