/** Bearer tokens (RFC 6750, 2.1 and 3; RFC 9110, 11) in the Authorization field, never in a query or a body. */

const scheme = "bearer";

/**
 * @param authorization an Authorization field's value, without white space around it.
 * @returns the text where a token belongs, which may be malformed; undefined if the scheme is another one.
 */
export function bearerToken(authorization: string): string | undefined {
  if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) return undefined;
  let start = scheme.length;
  while (authorization.charAt(start) === " ") start++;
  return start === scheme.length && start < authorization.length ? undefined : authorization.slice(start);
}

/** Why a request was refused because of its token (RFC 6750, 3.1). */
export type BearerError = "invalid_request" | "invalid_token" | "insufficient_scope";

/**
 * @param error left out if the request has no token: the client may not have known that it needs one.
 * @returns the field line by which a refusal requires a token.
 */
export function bearerChallenge(error?: BearerError): string {
  return `WWW-Authenticate: Bearer realm="nound"${error === undefined ? "" : `, error="${error}"`}\r\n`;
}
