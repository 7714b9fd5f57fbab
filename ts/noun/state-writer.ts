/** Writes a state as JSON (RFC 8259), without white space, keys in the order they were set. */
import type { State } from "./state.ts";

/**
 * @param state what `parseState` or `toState` returned.
 * @returns the JSON text; `parseState` of it gives an equal state.
 */
export function writeState(state: State): string {
  return JSON.stringify(state);
}
