/**
 * Grammars as transition tables, by which C cuts a text into tokens (`nound:lexer`): a fiftieth of what it costs in the
 * engine.
 *
 *     const pair = transitionTable([
 *       ["start", ["az"], "key", "begin"],
 *       ["key", ["az"], "key"],
 *       ["key", ["="], "=", "end"],
 *       ["=", ["09"], "accepted"],
 *     ]);
 *     tokens("level=1", pair); // ["level"]
 */
import { tableColumns, tableEntry, tableStates } from "../../native/lexer.ts";

export { follow, tokens } from "nound:lexer";

/** Characters: each element is one, or the first and the last of a range. `notAscii` is all that are not ASCII. */
export type Characters = readonly string[];

/** All characters beyond ASCII, which no grammar tells apart. */
export const notAscii = "\x80";

export const any: Characters = ["\0\x7f", notAscii];

/** Where a token is cut: it begins with the character, ends before it, or is an empty one before it. */
type Cut = "begin" | "end" | "empty";

/** What becomes of a character when a text is rewritten (`rewriting.ts`). */
export type Effect = number;

/** In a state, these characters lead to the next state. A text that ends in the state `accepted` is accepted. */
export type Transition = readonly [state: string, characters: Characters, next: string, mark?: Cut | Effect];

const cuts = { begin: tableEntry.begin, end: tableEntry.end, empty: tableEntry.begin | tableEntry.end };

/** The state in which a text begins. */
export const { first: firstState } = tableStates;

/** @returns the numbers of the states, in their order from 1 on. The table of the same transitions has a row for each. */
export function stateNumbers(transitions: readonly Transition[]): Map<string, number> {
  const numbers = new Map<string, number>([["accepted", tableStates.accepted]]);
  let before: string | undefined;
  for (const transition of transitions) {
    const state = transition[0];
    if (state !== before && !numbers.has(state)) numbers.set(state, numbers.size + 1);
    before = state;
  }
  return numbers;
}

/**
 * Every start makes tables, so transitions and their characters are taken apart by index: a pattern or an iterator
 * costs several times as much.
 * @param numbers those of the states. @param entryOf what the table has for a transition's state and characters.
 */
export function fill(
  transitions: readonly Transition[],
  numbers: Map<string, number>,
  entryOf: (transition: Transition) => number,
): ArrayBuffer {
  const table = new Uint8Array((numbers.size + 1) * tableColumns);
  for (const transition of transitions) {
    const row = (numbers.get(transition[0]) as number) * tableColumns;
    const entry = entryOf(transition);
    const characters = transition[1];
    for (let index = 0; index < characters.length; index++) {
      const range = characters[index] as string;
      const first = row + range.charCodeAt(0);
      if (range.length === 1) table[first] = entry;
      else table.fill(entry, first, row + range.charCodeAt(1) + 1);
    }
  }
  return table.buffer;
}

/**
 * @param transitions the first one is for the state in which a text begins. A later one overrides an earlier one; what
 * none allows is refused.
 * @throws RangeError for more states than an entry has bits for, or for a state without a transition.
 */
export function transitionTable(transitions: readonly Transition[]): ArrayBuffer {
  const numbers = stateNumbers(transitions);
  if (numbers.size > tableEntry.state) throw new RangeError("A transition table has at most 62 states.");
  return fill(transitions, numbers, (transition) => {
    const number = numbers.get(transition[2]);
    if (number === undefined) throw new RangeError(`No transition says what may follow in the state ${transition[2]}.`);
    const mark = transition[3];
    return number | (typeof mark === "string" ? cuts[mark] : 0);
  });
}

/** @returns the transitions by which exactly this text leads from one state to another. @param cut at its first character. */
export function spelled(state: string, text: string, next: string, cut?: Cut): readonly Transition[] {
  const transitions: Transition[] = [];
  let from = state;
  for (let index = 0; index < text.length; index++) {
    const to = index === text.length - 1 ? next : `${text} ${index + 1}`;
    transitions.push(
      index === 0 && cut !== undefined ? [from, [text.charAt(index)], to, cut] : [from, [text.charAt(index)], to],
    );
    from = to;
  }
  return transitions;
}
