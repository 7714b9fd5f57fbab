/** Numbers of JSON (RFC 8259, 6). */

/** A number, for patterns that hold one. */
export const numberLiteral = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?";

/**
 * @param literal a number of JSON.
 * @returns the number; minus zero becomes zero, as no client can tell them apart once they are written. undefined if it
 *   is too large.
 */
export function toNumber(literal: string): number | undefined {
  const value = Number(literal);
  if (!Number.isFinite(value)) return undefined;
  return value === 0 ? 0 : value;
}
