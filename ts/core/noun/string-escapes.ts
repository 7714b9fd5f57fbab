/**
 * The escapes in a state's strings (RFC 8259, 7). `parseState` calls this for texts that its table does not accept:
 * most states have no escape, and no mistake.
 */
import { hexadecimal, type Rewriting, rewrite, rewriting, tableEffect } from "../grammar/rewriting.ts";
import { firstState, notAscii, type Transition, tokens, transitionTable } from "../grammar/transition-table.ts";
import { mistakeIn } from "./state-mistake.ts";
import { StateSyntaxError } from "./state-syntax-error.ts";

const anything = ["\0\x7f", notAscii];

/** What a state's transitions lack: a backslash keeps a quotation mark from being the last one. */
const escapedStrings: readonly Transition[] = [
  ["key begin", ["\\"], "key escape", "begin"],
  ["key", ["\\"], "key escape"],
  ["key escape", anything, "key"],
  ["string", ["\\"], "string escape"],
  ["string escape", anything, "string"],
];

const { drop, digit, unit } = tableEffect;

function escapes(): readonly Transition[] {
  return [
    ["text", [" [", "]\x7f", notAscii], "text"],
    ["text", ["\\"], "escape", drop],
    ["escape", ['"', "\\", "/"], "text"],
    ["escape", ["b"], "text", 0x08],
    ["escape", ["f"], "text", 0x0c],
    ["escape", ["n"], "text", 0x0a],
    ["escape", ["r"], "text", 0x0d],
    ["escape", ["t"], "text", 0x09],
    ["escape", ["u"], "digit 1", drop],
    ["digit 1", hexadecimal, "digit 2", digit],
    ["digit 2", hexadecimal, "digit 3", digit],
    ["digit 3", hexadecimal, "digit 4", digit],
    ["digit 4", hexadecimal, "text", unit],
  ];
}

/** Made for the first string with an escape. */
let grammar: Rewriting | undefined;

/** Made when the first state arrives that is read here. */
let stateTable: ArrayBuffer | undefined;

/** @throws StateSyntaxError. */
function withoutEscapes(token: string): string {
  grammar ??= rewriting(escapes());
  const [written, , state] = rewrite(token, grammar.table, grammar.effects, firstState, 0);
  if (state !== firstState)
    throw new StateSyntaxError("A string of the state holds an escape that JSON does not have.");
  if (!written.isWellFormed()) throw new StateSyntaxError("A string of the state holds half of a surrogate pair.");
  return written;
}

/**
 * @param source a text, decoded.
 * @param transitions those of a state without escapes.
 * @returns the state's tokens by these transitions, with the characters that the escapes stand for.
 * @throws StateSyntaxError where the text is no state.
 */
export function escapedTokens(source: string, transitions: () => readonly Transition[]): readonly string[] {
  const all = () => [...transitions(), ...escapedStrings];
  stateTable ??= transitionTable(all());
  const found = tokens(source, stateTable);
  if (found === undefined) throw mistakeIn(source, all);
  return found.map(withoutEscapes);
}
