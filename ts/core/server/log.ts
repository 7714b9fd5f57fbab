/** The lines of the debug log. No client can forge a line or a command to a terminal. */

const unprintable = /[^\u0020-\u007e]/g;

/** @param text anything. @returns one line of printable ASCII; everything else is escaped as in a JavaScript string. */
export function escapeForLog(text: string): string {
  return text.replace(unprintable, (character) => {
    const code = character.charCodeAt(0);
    return code > 0xff ? `\\u${code.toString(16).padStart(4, "0")}` : `\\x${code.toString(16).padStart(2, "0")}`;
  });
}

/**
 * @param request the method and the target, as sent.
 * @param token the name of the token that came with the request; "" for none.
 * @returns a line of the debug log: the client, the request and the answer.
 */
export function describeAnswer(
  peer: string,
  { method, target }: { readonly method: string; readonly target: string },
  { status, note }: { readonly status: number; readonly note: string },
  token: string,
): string {
  // A query, or the text before the host, may contain a token that was sent in the wrong place. It must not be logged.
  const [sent = "", query] = target.split("?");
  const path = sent.replace(/\/\/[^/]*@/, "//...@");
  const text = `${method} ${path}${query === undefined ? "" : "?..."} ${status}${note === "" ? "" : ` ${note}`}`;
  return escapeForLog(`${peer} ${text}${token === "" ? "" : ` (token ${token})`}`);
}
