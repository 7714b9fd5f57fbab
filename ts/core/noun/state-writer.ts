/** Writes a state as JSON (RFC 8259), without white space, keys in the order they were set. */
import { jsonString } from "./json-string.ts";
import type { State } from "./state.ts";

function notAState(key: string): TypeError {
  return new TypeError(
    `A state holds strings, finite numbers, booleans and null; the value of ${JSON.stringify(key)} is something else.`,
  );
}

function writeScalar(key: string, value: unknown): string {
  switch (typeof value) {
    case "number":
      if (!Number.isFinite(value)) throw notAState(key);
      return `${value}`; // JSON writes numbers in the same way, except those that are not finite
    case "string":
      if (!value.isWellFormed()) throw notAState(key);
      return jsonString(value);
    case "boolean":
      return value ? "true" : "false";
    default:
      if (value !== null) throw notAState(key);
      return "null";
  }
}

/**
 * Checks and writes what a noun returned. Each value is read once.
 * @param value anything.
 * @returns the JSON text; `parseState` of it gives an equal state.
 * @throws TypeError naming what is wrong: no object, or a key whose value is not a string without lone surrogates, a
 *   finite number, a boolean or null.
 */
export function writeState(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError("A state must be one flat object; this value is not.");
  }
  const state = value as State;
  const keys = Object.keys(state);
  let text = "{";
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    if (index > 0) text += ",";
    if (!key.isWellFormed()) throw notAState(key);
    text += `${jsonString(key)}:${writeScalar(key, state[key])}`;
  }
  return `${text}}`;
}

/**
 * Makes sure that a value is a state. Nothing else may be sent to a client.
 * @returns a copy, which is a plain object: no getter can return another value later, and no `toJSON` method can change
 *   what is written.
 * @throws as `writeState`.
 */
export function toState(value: unknown): State {
  const copy = typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : value;
  writeState(copy);
  return copy as State;
}

/**
 * @param states of nouns as JSON, with the names.
 * @returns one JSON object with all of them. It is made without a copy of a long state: the engine adds those by
 * reference.
 */
export function joinStates(states: readonly { readonly name: string; readonly json: string }[]): string {
  let text = "{";
  states.forEach(({ name, json }, index) => {
    text += `${index === 0 ? "" : ","}"${name}":`;
    text += json;
  });
  return `${text}}`;
}
