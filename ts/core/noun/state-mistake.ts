/** The reason why a text is not a state, for a text that the table of `state-parser.ts` does not accept. */
import { firstState, follow, stateNumbers, type Transition, transitionTable } from "../grammar/transition-table.ts";
import { StateSyntaxError } from "./state-syntax-error.ts";

/** Where more than one mistake is possible in a state, another state is behind one of them. */
const mistakes: readonly Transition[] = [
  ["key begin", ["\0\x1f"], "control character"],
  ["key", ["\0\x1f"], "control character"],
  ["string", ["\0\x1f"], "control character"],
  ["control character", [], "accepted"],
  ["before value", ["{", "["], "nested value"],
  ["nested value", [], "accepted"],
];

const unended = "A string of the state does not end.";
const unseparated = "Expected } or a comma after a value.";

/** What to say where a text ends or has a character that is not allowed; other states are within a value. */
const details: { readonly [state: string]: string | undefined } = {
  start: "The body is not a JSON object.",
  "before first key": "Expected a key in quotation marks.",
  "before key": "Expected a key in quotation marks.",
  "key begin": unended,
  key: unended,
  "key escape": unended,
  string: unended,
  "string escape": unended,
  "control character": "A string of the state holds a control character; escape it.",
  "behind key": "Expected : after a key.",
  "nested value": "A state is flat: no value of it can be an object or an array.",
  zero: unseparated,
  integer: unseparated,
  fraction: unseparated,
  "exponent digits": unseparated,
  name: unseparated,
  "behind value": unseparated,
  accepted: "Something follows the state's closing brace.",
};

/** Made when the first mistake arrives: the table, and the names of its states by their numbers. */
let grammar: { readonly table: ArrayBuffer; readonly states: readonly string[] } | undefined;

/** @param source a text that is no state. @param transitions those of a state. */
export function mistakeIn(source: string, transitions: () => readonly Transition[]): StateSyntaxError {
  if (grammar === undefined) {
    const all = [...transitions(), ...mistakes];
    grammar = { table: transitionTable(all), states: ["refused", ...stateNumbers(all).keys()] };
  }
  const [, state] = follow(source, grammar.table, firstState);
  const detail = details[grammar.states[state] as string];
  return new StateSyntaxError(detail ?? "A value of the state is not a string, a number, true, false or null.");
}
