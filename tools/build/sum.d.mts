export interface SuiteResult {
  readonly suite: string;
  readonly status: number | null;
  readonly report:
    | { readonly numPassedTests: number; readonly numFailedTests: number; readonly numPendingTests: number }
    | undefined;
}

export function sumOf(results: readonly SuiteResult[]): { readonly sentence: string; readonly hasFailed: boolean };
