/** What `npm run test:targets` prints of a suite. */
import { expect, test } from "vitest";
import { summary } from "../targets/summary.ts";

const passed = { status: "passed", assertionResults: [{ status: "passed" }, { status: "passed" }] };
const unloaded = { status: "failed", assertionResults: [] };
const unprepared = { status: "failed", assertionResults: [{ status: "skipped" }] };

test.each([
  { name: "tests that passed", testResults: [passed], told: "2 passed, 0 failed, 1 skipped" },
  {
    name: "a file that could not be loaded",
    testResults: [passed, unloaded],
    told: "2 passed, 0 failed, 1 skipped, 1 file failed to load or to prepare",
  },
  {
    name: "files that could not be loaded or prepared",
    testResults: [unloaded, unprepared, passed],
    told: "2 passed, 0 failed, 1 skipped, 2 files failed to load or to prepare",
  },
])("the summary of a suite tells of $name", ({ testResults, told }) => {
  expect(summary(JSON.stringify({ numPassedTests: 2, numFailedTests: 0, numPendingTests: 1, testResults }))).toBe(told);
});
