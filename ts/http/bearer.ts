/** Bearer tokens on the wire (RFC 6750, 2.1 and 3; RFC 9110, 11). Only the field counts, never a query or a body. */

const credentials = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const scheme = /^Bearer(?: |$)/i;

/**
 * @param authorization an Authorization field's value.
 * @returns the token; "" where it is malformed; undefined where the scheme is another.
 */
export function bearerToken(authorization: string): string | undefined {
  const match = credentials.exec(authorization);
  if (match !== null) return match[1];
  return scheme.test(authorization) ? "" : undefined;
}

/** @returns whether a text can be sent as a token at all. */
export function isBearerToken(text: string): boolean {
  return credentials.test(`Bearer ${text}`);
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
