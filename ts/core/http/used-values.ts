/** Heads without the field values that no part of the server uses, such as a cookie's. */
import { type Rewriting, rewrite, rewriting, tableEffect } from "../grammar/rewriting.ts";
import { firstState, type Transition } from "../grammar/transition-table.ts";
import { namesThatMatter } from "./fields.ts";
import { opaque, token } from "./head-syntax.ts";

/** The letters of a name by which it counts as one that matters. */
const letters = 3;

/** The transitions of the first letters of the names that matter. All other names lead to `unused name`. */
function firstLetters(): readonly Transition[] {
  const transitions: Transition[] = [];
  for (const name of namesThatMatter) {
    for (let index = 0; index < letters; index++) {
      const state = index === 0 ? "field line" : name.slice(0, index);
      const next = index === letters - 1 ? "used name" : name.slice(0, index + 1);
      const letter = name.charAt(index);
      if (index > 0) transitions.unshift([state, [":"], "unused value"]);
      transitions.unshift([state, token, "unused name"]);
      transitions.push([state, [letter, letter.toUpperCase()], next]);
    }
  }
  return transitions;
}

const transitions = (): readonly Transition[] => [
  ["request line", [" ", ...opaque], "request line"],
  ["request line", ["\r"], "line end"],
  ["line end", ["\n"], "field line"],
  ...firstLetters(),
  ["field line", ["\r"], "last line end"],
  ["used name", token, "used name"],
  ["used name", [":"], "used value"],
  ["used value", [" ", ...opaque], "used value"],
  ["used value", ["\r"], "line end"],
  ["unused name", token, "unused name"],
  ["unused name", [":"], "unused value"],
  ["unused value", [" ", ...opaque], "unused value", tableEffect.drop],
  ["unused value", ["\r"], "line end"],
  ["last line end", ["\n"], "accepted"],
];

/** Made for the first head. */
let grammar: Rewriting | undefined;

/**
 * @param head with its empty line.
 * @returns the head without the values of fields whose names begin like none that matters; undefined for a malformed
 *   one. Two well-formed heads with the same result mean the same, apart from their limits.
 */
export function withoutUnusedValues(head: string): string | undefined {
  grammar ??= rewriting(transitions());
  // By index, because an iterator costs as much as a hundred characters.
  const found = rewrite(head, grammar.table, grammar.effects, firstState, 0);
  return found[1] === head.length && grammar.states[found[2]] === "accepted" ? found[0] : undefined;
}
