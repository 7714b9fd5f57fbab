/** Bearer tokens on the wire (RFC 6750, 2.1 and 3; RFC 9110, 11). Only the field counts, never a query or a body. */

const scheme = "bearer";

/**
 * @param authorization an Authorization field's value, without white space around it.
 * @returns what stands in a token's place, which need not be one; undefined where the scheme is another.
 */
export function bearerToken(authorization: string): string | undefined {
  if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) return undefined;
  let start = scheme.length;
  while (authorization.charAt(start) === " ") start++;
  return start === scheme.length && start < authorization.length ? undefined : authorization.slice(start);
}

/** Why a request was refused for its token, or lack of one (RFC 6750, 3.1). */
export type BearerError = "invalid_request" | "invalid_token" | "insufficient_scope";

/**
 * @param error none where the client may not have known that a token is wanted.
 * @returns the field line with which a refusal asks for a token.
 */
export function bearerChallenge(error?: BearerError): string {
  return `WWW-Authenticate: Bearer realm="nound"${error === undefined ? "" : `, error="${error}"`}\r\n`;
}
