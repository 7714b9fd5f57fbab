/** The debug log's lines. What a client sent can forge neither a line nor a terminal's command in it. */

/** Is told of each failure of a noun. @param description the error with its stack, for people. */
export type OnFailure = (noun: string, description: string) => void;

const unprintable = /[^\u0020-\u007e]/g;

/** @param text anything. @returns one line of printable ASCII; everything else is escaped as in a JavaScript string. */
export function escapeForLog(text: string): string {
  return text.replace(unprintable, (character) => {
    const code = character.charCodeAt(0);
    return code > 0xff ? `\\u${code.toString(16).padStart(4, "0")}` : `\\x${code.toString(16).padStart(2, "0")}`;
  });
}

/** @param error what somebody threw. @returns it with its stack, for people. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error} that is no Error`;
  const stack = String(error.stack ?? "")
    .trim()
    .replace(/\s*\n\s*/g, " < ");
  return stack.includes(error.message) ? stack : `${error.name}: ${error.message} ${stack}`.trim();
}
