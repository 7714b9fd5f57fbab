/** The failure of a noun, for people. */

/** Called for each failure of a noun. @param description the error with its stack, for people. */
export type OnFailure = (noun: string, description: string) => void;

/**
 * Thrown when a noun has changed and there is no memory to read its state: no answer can tell the client what has
 * become of its request. It is made beforehand, because then there may be no memory for it.
 */
export const changedUnread = new Error("it has changed, and there was no memory to read its state");

/**
 * @returns whether an error of the engine says that there is no memory. Without memory for an error the engine throws
 * null.
 */
export function isOutOfMemory(error: unknown): boolean {
  return error === null || (error instanceof Error && error.name === "InternalError");
}

/** @param error a thrown value. @returns the error with its stack, for people. */
export function describeError(error: unknown): string {
  if (typeof error === "string") return `a thrown string that is no Error: ${JSON.stringify(error)}`;
  if (!(error instanceof Error)) return `a thrown ${typeof error} that is no Error`;
  const stack = String(error.stack ?? "")
    .trim()
    .replace(/\s*\n\s*/g, " < ");
  return stack.includes(error.message) ? stack : `${error.name}: ${error.message} ${stack}`.trim();
}
