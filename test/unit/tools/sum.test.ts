/** The last line of `npm test`. */
import { expect, test } from "vitest";
import { sumOf } from "../../../tools/build/sum.mjs";

const report = (numPassedTests: number, numFailedTests = 0, numPendingTests = 0) => ({
  numPassedTests,
  numFailedTests,
  numPendingTests,
});

test("the sum counts the tests of all suites", () => {
  const results = [
    { suite: "unit", status: 0, report: report(7_000, 0, 3) },
    { suite: "e2e", status: 0, report: report(12, 0, 4) },
  ];
  expect(sumOf(results)).toEqual({ sentence: "nound: 7,012 passed, 0 failed, 7 skipped", hasFailed: false });
});

test("a suite with a failed test is named, and the others are counted all the same", () => {
  const results = [
    { suite: "unit", status: 1, report: report(5, 2) },
    { suite: "e2e", status: 0, report: report(1) },
  ];
  expect(sumOf(results)).toEqual({ sentence: "nound: 6 passed, 2 failed (unit), 0 skipped", hasFailed: true });
});

test("a suite that fails without a failed test, or that has no report, is no success", () => {
  const results = [
    { suite: "unit", status: 1, report: report(5) },
    { suite: "e2e", status: 1, report: undefined },
  ];
  expect(sumOf(results)).toEqual({
    sentence: "nound: 5 passed, 0 failed, 0 skipped, unit did not run to its end, e2e did not run to its end",
    hasFailed: true,
  });
});

test("a suite without a test of the name is none that failed, but all suites without one are", () => {
  const [some, none] = [
    { suite: "unit", status: 0, report: report(3) },
    { suite: "e2e", status: 0, report: report(0) },
  ];
  expect(sumOf([some, none])).toEqual({ sentence: "nound: 3 passed, 0 failed, 0 skipped", hasFailed: false });
  expect(sumOf([none]).hasFailed).toBe(true);
});
