/** Who has an operation performed: what the list of changes and the debug log say. */

/**
 * Who it is, in words: `rule frost`, `broker`. For a client, its request: the client is named by the token that the
 * access check has found, or else by its address.
 */
export type Writer = string | { readonly admission: { readonly token: string } };

/** @param client the client's address in words: `client 192.0.2.7`. */
export function wordsOf(by: Writer, client: string): string {
  if (typeof by === "string") return by;
  const { token } = by.admission;
  return token === "" ? client : `token ${token}`;
}
