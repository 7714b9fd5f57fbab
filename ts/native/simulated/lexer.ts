/** The simulated twin of `nound:lexer`. */
import { type Lexer, tableColumns, tableEntry, tableStates } from "../lexer.ts";

/** Stands for a character's entry of a state that the table lacks. */
const { refused } = tableStates;

function entryOf(table: Uint8Array, state: number, character: string): number {
  return table[state * tableColumns + Math.min(character.charCodeAt(0), tableColumns - 1)] ?? refused;
}

/** The lexer, by what every engine has. */
export const simulatedLexer: Lexer = {
  tokens(text, buffer) {
    const table = new Uint8Array(buffer);
    const found: string[] = [];
    let state: number = tableStates.first;
    let begin = 0;
    let index = 0;
    for (const character of text) {
      const entry = entryOf(table, state, character);
      if ((entry & tableEntry.begin) !== 0) begin = index;
      if ((entry & tableEntry.end) !== 0) found.push(text.slice(begin, index));
      state = entry & tableEntry.state;
      if (state === refused) return undefined;
      index += character.length;
    }
    return state === tableStates.accepted ? found : undefined;
  },
  follow(text, buffer, first) {
    const table = new Uint8Array(buffer);
    let state = first;
    let characters = 0;
    for (const character of text) {
      const next = entryOf(table, state, character) & tableEntry.state;
      if (next === refused || next * tableColumns >= table.length) break;
      state = next;
      characters += 1;
    }
    return [characters, state];
  },
};
