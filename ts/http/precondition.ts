/**
 * Preconditions (RFC 9110, 13). A state has no entity tag and no date, and there always is one. So `If-Match` holds for
 * `*` alone, `If-None-Match` for everything but `*`, and those with dates are ignored (13.1.3 and 13.1.4).
 */
import type { Fields } from "./fields.ts";

/**
 * @param method the request's method. `If-None-Match` is not checked for a GET: it only helps caches, and no answer of
 *   this server may be kept in a cache.
 * @returns whether the request may be performed.
 */
export function preconditionsHold(method: string, { values }: Fields): boolean {
  const match = values["if-match"];
  return (match === undefined || match === "*") && (method === "GET" || values["if-none-match"] !== "*");
}
