/** The media type of a request's body (RFC 9110, 8.3). */

// ";" separates parameters, with optional white space around it, and may be empty (RFC 9110, 5.6.6). In the
// pattern, only one part can match each white space. With two, the time to refuse "; ; ; ; x" would double with each
// semicolon. Any character within quotation marks may have a backslash before it (RFC 9110, 5.6.4).
const jsonType = /^application\/json[\t ]*(?:;[\t ]*(?:charset=(?:utf-8|"\\?u\\?t\\?f\\?-\\?8")[\t ]*)?)*$/i;

/** @returns whether the value of Content-Type is `application/json`, alone or with `charset=utf-8`. */
export function isJson(contentType: string): boolean {
  return contentType === "application/json" || jsonType.test(contentType);
}
