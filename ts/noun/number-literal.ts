/** Numbers of JSON (RFC 8259, 6). */

/** The pattern of a number, for use in other patterns. */
export const numberLiteral = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?";

/**
 * @param literal a number of JSON.
 * @returns the number; minus zero becomes zero, because both are written in the same way. undefined if it
 *   is too large.
 */
export function toNumber(literal: string): number | undefined {
  const value = Number(literal);
  if (!Number.isFinite(value)) return undefined;
  return value === 0 ? 0 : value;
}
