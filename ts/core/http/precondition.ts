/**
 * Preconditions (RFC 9110, 13). A state has no entity tag and no date, and there always is one. So `If-Match` holds for
 * `*` alone, `If-None-Match` for everything but `*`, and those with dates are ignored (13.1.3 and 13.1.4).
 */
import type { Fields } from "./fields.ts";
import { HttpError } from "./http-error.ts";

/**
 * @param method the request's method. `If-None-Match` is not checked for GET and HEAD: it only helps caches, and no
 *   state may be kept in a cache.
 * @param reason the end of a sentence.
 * @throws HttpError 412 if the request must not be performed.
 */
export function checkPreconditions(method: string, fields: Fields, reason: string): void {
  const match = fields.values["if-match"];
  const isRead = method === "GET" || method === "HEAD";
  if ((match === undefined || match === "*") && (isRead || fields.values["if-none-match"] !== "*")) return;
  throw HttpError.keeping(412, `The precondition fails: ${reason}.`);
}
