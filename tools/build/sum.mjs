/** The last line of `npm test`. */

/** Whether a suite failed in another way than by its tests: it was not built, or a file of it cannot be read. */
function isBroken({ status, report }) {
  return report === undefined || (status !== 0 && report.numFailedTests === 0);
}

/**
 * @param {readonly import("./sum.mjs").SuiteResult[]} results
 * @returns {{ sentence: string, hasFailed: boolean }} such as `nound: 7,012 passed, 1 failed (e2e), 12 skipped`.
 */
export function sumOf(results) {
  const sum = (key) => results.reduce((all, { report }) => all + (report?.[key] ?? 0), 0).toLocaleString("en");
  const failed = results.filter(({ report }) => (report?.numFailedTests ?? 0) > 0).map(({ suite }) => suite);
  const broken = results.filter(isBroken).map(({ suite }) => suite);
  const where = failed.length > 0 ? ` (${failed.join(", ")})` : "";
  const parts = [
    `${sum("numPassedTests")} passed`,
    `${sum("numFailedTests")} failed${where}`,
    `${sum("numPendingTests")} skipped`,
    ...broken.map((suite) => `${suite} did not run to its end`),
  ];
  const counts = ["numPassedTests", "numFailedTests", "numPendingTests"];
  const isEmpty = results.every(({ report }) => counts.every((key) => (report?.[key] ?? 0) === 0));
  if (isEmpty) parts.push("no file of a test has this name");
  return { sentence: `nound: ${parts.join(", ")}`, hasFailed: failed.length > 0 || broken.length > 0 || isEmpty };
}
