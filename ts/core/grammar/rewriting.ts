/**
 * Grammars as transition tables with effects, by which C rewrites a text (`nound:lexer`).
 *
 *     const { table, effects } = rewriting([
 *       ["start", ["az"], "start"],
 *       ["start", ["%"], "encoded", tableEffect.drop],
 *       ["encoded", hexadecimal, "second digit", tableEffect.digit],
 *       ["second digit", hexadecimal, "start", tableEffect.unit],
 *     ]);
 *     rewrite("a%2fb", table, effects, firstState, 0); // ["a/b", 5, firstState, 0]
 */
import { tableEffect } from "../../native/lexer.ts";
import { type Characters, fill, stateNumbers, type Transition, transitionTable } from "./transition-table.ts";

export { rewrite } from "nound:lexer";
export { tableEffect };

/** The characters of the effects `digit` and `unit`. */
export const hexadecimal: Characters = ["09", "af", "AF"];

/** What `rewrite` takes, and the names of the states by their numbers. */
export interface Rewriting {
  readonly table: ArrayBuffer;
  readonly effects: ArrayBuffer;
  readonly states: readonly string[];
}

/** @param transitions as for `transitionTable`. A character whose transition has no effect is kept. */
export function rewriting(transitions: readonly Transition[]): Rewriting {
  const numbers = stateNumbers(transitions);
  return {
    table: transitionTable(transitions),
    effects: fill(transitions, numbers, (transition) =>
      typeof transition[3] === "number" ? transition[3] : tableEffect.keep,
    ),
    states: ["refused", ...numbers.keys()],
  };
}
