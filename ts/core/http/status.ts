/** The status codes nound answers with and their reason phrases (RFC 9110, 15). */

const reasonPhrases = {
  200: "OK",
  204: "No Content",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  417: "Expectation Failed",
  421: "Misdirected Request",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  505: "HTTP Version Not Supported",
} as const;

/** A status code nound knows. */
export type Status = keyof typeof reasonPhrases;

/** A status code of a refusal. */
export type ErrorStatus = Exclude<Status, 200 | 204 | 304>;

/** @returns the reason phrase, which is also the title of a problem document. */
export function reasonPhrase(status: Status): string {
  return reasonPhrases[status];
}

/** @returns a count for each status, 0. */
export function zeroForEachStatus(): Record<Status, number> {
  return Object.fromEntries(Object.keys(reasonPhrases).map((status) => [status, 0])) as Record<Status, number>;
}
