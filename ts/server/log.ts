/** The debug log's lines. What a client sent can forge neither a line nor a terminal's command in it. */

/** Called for each failure of a noun. @param description the error with its stack, for people. */
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

/**
 * @param request the method and the target, as sent.
 * @param token the name of the token that came with the request; "" for none.
 * @returns a line of the debug log: who asked for what, and what the answer was.
 */
export function describeAnswer(
  peer: string,
  { method, target }: { readonly method: string; readonly target: string },
  { status, note }: { readonly status: number; readonly note: string },
  token: string,
): string {
  // A query, or what is before the host, may hold what no log should: a token, where this server does not look for one.
  const [sent = "", query] = target.split("?");
  const path = sent.replace(/\/\/[^/]*@/, "//...@");
  const text = `${method} ${path}${query === undefined ? "" : "?..."} ${status}${note === "" ? "" : ` ${note}`}`;
  return escapeForLog(`${peer} ${text}${token === "" ? "" : ` (token ${token})`}`);
}
