/**
 * The strict parser of a state: exactly one flat JSON object (RFC 8259 within the bounds of I-JSON, RFC 7493).
 *
 * The engine's own JSON parser is not used: it keeps the last of two equal keys, follows any nesting, and is C code
 * that would interpret bytes from the network. This parser refuses an array or object as a value at its first
 * character.
 *
 *     parseState('{"led": 1}', 64); // { led: 1 }
 */
import {
  type Characters,
  notAscii,
  spelled,
  type Transition,
  tokens,
  transitionTable,
} from "../grammar/transition-table.ts";
import type { Scalar, State } from "./state.ts";
import { StateSyntaxError } from "./state-syntax-error.ts";
import { escapedTokens } from "./string-escapes.ts";

/**
 * @param literal a number of JSON.
 * @returns the number; minus zero becomes zero, because both are written in the same way. undefined if it
 *   is too large.
 */
function toNumber(literal: string): number | undefined {
  const value = Number(literal);
  if (!Number.isFinite(value)) return undefined;
  return value === 0 ? 0 : value;
}

const space: Characters = [" ", "\t", "\n", "\r"];
const text: Characters = [" !", "#[", "]\x7f", notAscii];
const digit: Characters = ["09"];

/** @returns the transitions for what may follow a value without an end mark: a number or a name. */
function ended(state: string): readonly Transition[] {
  return [
    [state, space, "behind value", "end"],
    [state, [","], "before key", "end"],
    [state, ["}"], "accepted", "end"],
  ];
}

/** An object of strings without an escape, numbers and names, as tokens. A string has its first quotation mark. */
const transitions = (): readonly Transition[] => [
  ["start", space, "start"],
  ["start", ["{"], "before first key"],
  ["before first key", space, "before first key"],
  ["before first key", ["}"], "accepted"],
  ["before first key", ['"'], "key begin"],
  ["before key", space, "before key"],
  ["before key", ['"'], "key begin"],
  ["key begin", text, "key", "begin"],
  ["key begin", ['"'], "behind key", "empty"],
  ["key", text, "key"],
  ["key", ['"'], "behind key", "end"],
  ["behind key", space, "behind key"],
  ["behind key", [":"], "before value"],
  ["before value", space, "before value"],
  ["before value", ['"'], "string", "begin"],
  ["string", text, "string"],
  ["string", ['"'], "behind value", "end"],
  ["before value", ["-"], "minus", "begin"],
  ["before value", ["0"], "zero", "begin"],
  ["before value", ["19"], "integer", "begin"],
  ["minus", ["0"], "zero"],
  ["minus", ["19"], "integer"],
  ["integer", digit, "integer"],
  ["zero", ["."], "point"],
  ["integer", ["."], "point"],
  ["point", digit, "fraction"],
  ["fraction", digit, "fraction"],
  ["zero", ["E", "e"], "exponent"],
  ["integer", ["E", "e"], "exponent"],
  ["fraction", ["E", "e"], "exponent"],
  ["exponent", ["+", "-"], "exponent sign"],
  ["exponent", digit, "exponent digits"],
  ["exponent sign", digit, "exponent digits"],
  ["exponent digits", digit, "exponent digits"],
  ...spelled("before value", "true", "name", "begin"),
  ...spelled("before value", "false", "name", "begin"),
  ...spelled("before value", "null", "name", "begin"),
  ...["zero", "integer", "fraction", "exponent digits", "name"].flatMap(ended),
  ["behind value", space, "behind value"],
  ["behind value", [","], "before key"],
  ["behind value", ["}"], "accepted"],
  ["accepted", space, "accepted"],
];

/** Made when the first state arrives. A server that gets no PUT or POST does not need it. */
let table: ArrayBuffer | undefined;

/** @throws StateSyntaxError for a number that is too large. */
function readValue(token: string): Scalar {
  switch (token[0]) {
    case '"':
      return token.slice(1);
    case "t":
      return true;
    case "f":
      return false;
    case "n":
      return null;
  }
  const value = toNumber(token);
  if (value === undefined) throw new StateSyntaxError("A number of the state is too large to be represented.");
  return value;
}

/**
 * Parses one state.
 * @param source the whole text, decoded.
 * @param maximumPairs the largest number of key and value pairs.
 * @returns the state, frozen, on an object without a prototype, so that no key is special, not even `__proto__`.
 * @throws StateSyntaxError, and nothing else, when the text is not exactly one flat object with distinct keys.
 */
export function parseState(source: string, maximumPairs: number): State {
  table ??= transitionTable(transitions());
  const found = tokens(source, table) ?? escapedTokens(source, transitions);
  if (found.length > 2 * maximumPairs) throw new StateSyntaxError(`A state has at most ${maximumPairs} keys.`);
  const state: { [key: string]: Scalar } = Object.create(null);
  for (let index = 0; index < found.length; index += 2) {
    const key = found[index] as string;
    if (key in state) throw new StateSyntaxError("A key occurs twice in the state.");
    state[key] = readValue(found[index + 1] as string);
  }
  return Object.freeze(state);
}
