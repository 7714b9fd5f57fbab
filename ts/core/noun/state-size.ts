/** How large a state is. Sizes in bytes. */
import type { Shape } from "./shape.ts";
import type { State } from "./state.ts";

/** The size of a state. */
export interface StateSize {
  /** Bytes of its JSON. */
  readonly length: number;
  /**
   * Bytes of memory: those of the values, of the JSON that the noun's answer has, and what that takes while it is sent.
   */
  readonly memory: number;
}

/** For each pair of a state: the property, its key, and what `/metrics` says about it. */
const pairBytes = 256;

/** The memory of a state that a noun may always have, so that a lamp can be switched whatever other nouns hold. */
export const smallState = 2_048;

/** Characters of the longest JSON that can only be that of a small state: it has room for seven pairs. */
export const smallText = 35;

/** @param text the state as JSON. @param length bytes of that text in UTF-8. */
export function stateSize(state: State, text: string, length: number): StateSize {
  // If one character of a text needs two bytes, the engine takes two for each; and up to three while it makes UTF-8 of
  // the text.
  const perCharacter = length === text.length ? 2 : 6;
  return { length, memory: perCharacter * text.length + pairBytes * Object.keys(state).length };
}

/** @returns the most memory that a state of so many bytes as JSON and so many pairs may take. */
export function mostStateMemory(bytes: number, pairs: number): number {
  return 6 * bytes + pairBytes * pairs;
}

/** Characters of the longest text that a key may have whose states nobody counts. */
const shortText = 32;

/** @returns whether only the limits bound the states of a noun: its shape, if it has one, allows a long text. */
export function isUnbounded(shape: Shape | undefined): boolean {
  if (shape === undefined) return true;
  return Object.values(shape).some((key) => key.type === "string" && (key.maximumLength ?? Infinity) > shortText);
}
