/** What the report of a suite comes to. */

/** vitest's report as JSON, as far as it is read. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  /** One for each file. */
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/**
 * @param json vitest's report.
 * @returns a line. A file that cannot be loaded, or prepared, fails without a test that fails, so such files are
 * counted apart.
 */
export function summary(json: string): string {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(json) as Report;
  const unrun = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.every((test) => test.status !== "failed"),
  ).length;
  const line = `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`;
  return unrun === 0 ? line : `${line}, ${unrun} ${unrun === 1 ? "file" : "files"} failed to load or to prepare`;
}
