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
import { type Characters, fill, type Rule, stateNumbers, transitionTable } from "./transition-table.ts";

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

/** @param rules as for `transitionTable`. A character whose rule has no effect is kept. */
export function rewriting(rules: readonly Rule[]): Rewriting {
  const numbers = stateNumbers(rules);
  return {
    table: transitionTable(rules),
    effects: fill(rules, numbers, (rule) => (typeof rule[3] === "number" ? rule[3] : tableEffect.keep)),
    states: ["refused", ...numbers.keys()],
  };
}
