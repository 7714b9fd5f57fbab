/** The methods of HTTP (RFC 9110, 9; RFC 5789 for PATCH). */

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]);

/** @returns whether HTTP itself has this method, whatever a server makes of it. Methods are case-sensitive. */
export function isKnownMethod(method: string): boolean {
  return knownMethods.has(method);
}
