/**
 * Preconditions (RFC 9110, 13). A state has no entity tag and no date, and there always is one. So `If-Match` holds for
 * `*` alone, `If-None-Match` for everything but `*`, and those with dates are ignored (13.1.3 and 13.1.4).
 */
import type { Fields } from "./fields.ts";

/**
 * @param method the request's method. `If-None-Match` is not checked for GET and HEAD: it only helps caches, and no
 *   state may be kept in a cache.
 * @returns whether the request may be performed.
 */
export function preconditionsHold(method: string, { values }: Fields): boolean {
  const match = values["if-match"];
  const isRead = method === "GET" || method === "HEAD";
  return (match === undefined || match === "*") && (isRead || values["if-none-match"] !== "*");
}
