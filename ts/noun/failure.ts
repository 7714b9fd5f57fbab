/** The failure of a noun, for people. */

/** Called for each failure of a noun. @param description the error with its stack, for people. */
export type OnFailure = (noun: string, description: string) => void;

/** @param error a thrown value. @returns the error with its stack, for people. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error} that is no Error`;
  const stack = String(error.stack ?? "")
    .trim()
    .replace(/\s*\n\s*/g, " < ");
  return stack.includes(error.message) ? stack : `${error.name}: ${error.message} ${stack}`.trim();
}
