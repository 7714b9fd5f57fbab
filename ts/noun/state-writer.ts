/** Writes a state as JSON (RFC 8259), without white space, keys in the order they were set. */
import { jsonString } from "./json-string.ts";
import type { State } from "./state.ts";

/** The JSON of states that were written before they became the state of a noun. */
const written = new WeakMap<object, string>();

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
 * Checks and writes what a noun returned, as `toState` checks it. Each value is read once.
 * @param value anything.
 * @returns the JSON text; `parseState` of it gives an equal state.
 * @throws TypeError naming what is wrong.
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

/** Characters of a text that is sent whatever else the memory holds. */
const small = 65_536;
/** Bytes that sending takes for each character: twice two for the answer with its head, and up to three for its UTF-8. */
const bytesToSend = 8;

/** @throws InternalError when there is no memory to send a text. */
function expectRoomToSend(text: string): void {
  if (text.length > small) void new ArrayBuffer(bytesToSend * text.length).byteLength;
}

/**
 * Freezes a state and writes it before it becomes the state of a noun. If there is no memory for the answer, the noun keeps its state.
 * @param state an object of scalars that no other code uses.
 * @returns the same object.
 * @throws InternalError when there is no memory for its JSON, or to send it.
 */
export function settleState(state: State): State {
  const text = writeState(state);
  expectRoomToSend(text);
  written.set(Object.freeze(state), text);
  return state;
}

/**
 * @param result what a noun returned.
 * @returns its JSON.
 * @throws TypeError when it is not a state.
 */
export function writeResult(result: unknown): string {
  return written.get(result as object) ?? writeState(result);
}
