/** The methods of HTTP (RFC 9110, 9; RFC 5789 for PATCH). */
import { HttpError } from "./http-error.ts";
import type { RequestHead } from "./request-head.ts";

/** Case-sensitive. */
const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]);

/**
 * @param allow the field line with the methods that are allowed.
 * @returns a 405, or a 501 for a method that HTTP does not have; closing where a body may follow that nobody reads.
 */
export function refuseMethod(
  head: Pick<RequestHead, "method" | "chunked" | "contentLength">,
  allow: string,
  detail = "The method is not allowed here; the field Allow says which are.",
): HttpError {
  // Their bodies are skipped as where they are allowed; that of a DELETE is empty.
  const isSkipped = head.method === "PUT" || head.method === "POST" || head.method === "DELETE";
  const refuse = !isSkipped && (head.chunked || head.contentLength > 0) ? HttpError.closing : HttpError.keeping;
  return knownMethods.has(head.method)
    ? refuse(405, detail, allow)
    : refuse(501, "This server does not know the request's method.");
}
