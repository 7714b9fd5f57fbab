/**
 * A corpus of JSON texts, each with its verdict, in three kinds:
 *
 * - `y`: JSON, and a state; it is accepted.
 * - `n`: not JSON (RFC 8259) or not UTF-8; it is refused.
 * - `i`: JSON that the grammar allows or RFC 8259 leaves to the implementation. The entry contains nound's decision,
 *   with its reason.
 *
 * Texts are bytes, one character a byte, so that what is not UTF-8 can be written down, too.
 */

/** One text and its verdict. */
export interface Entry {
  readonly kind: "y" | "n" | "i";
  readonly name: string;
  /** One byte a character. */
  readonly bytes: string;
  readonly accepted: boolean;
  /** Why it is accepted or not, where the grammar does not say. */
  readonly reason: string;
}

/** A row of a table: a name and bytes. */
type Row = readonly [name: string, bytes: string];

/** Texts that are states. */
export function states(rows: readonly Row[]): readonly Entry[] {
  return rows.map(([name, bytes]) => ({ kind: "y", name, bytes, accepted: true, reason: "" }));
}

/** Texts that are no JSON. */
export function noJson(rows: readonly Row[]): readonly Entry[] {
  return rows.map(([name, bytes]) => ({ kind: "n", name, bytes, accepted: false, reason: "" }));
}

/** Texts that are JSON, or may be, and that nound refuses for this reason. */
export function refusedBecause(reason: string, rows: readonly Row[]): readonly Entry[] {
  return rows.map(([name, bytes]) => ({ kind: "i", name, bytes, accepted: false, reason }));
}

/** Texts that an implementation need not accept, and that nound accepts for this reason. */
export function acceptedBecause(reason: string, rows: readonly Row[]): readonly Entry[] {
  return rows.map(([name, bytes]) => ({ kind: "i", name, bytes, accepted: true, reason }));
}

/** The text of a state whose one key, `a`, has this value. */
export function value(text: string): string {
  return `{"a":${text}}`;
}

/** The text of a state whose one value is a string of these bytes. */
export function string(content: string): string {
  return `{"a":"${content}"}`;
}
