/** The simulated twin of `nound:lexer`. */
import { type Lexer, tableColumns, tableEntry, tableStates } from "../lexer.ts";

/** The lexer, by what every engine has. */
export const simulatedLexer: Lexer = {
  tokens(text, buffer) {
    const table = new Uint8Array(buffer);
    const found: string[] = [];
    let state: number = tableStates.first;
    let begin = 0;
    let index = 0;
    for (const character of text) {
      const column = Math.min(character.charCodeAt(0), tableColumns - 1);
      const entry = table[state * tableColumns + column] ?? tableStates.refused;
      if ((entry & tableEntry.begin) !== 0) begin = index;
      if ((entry & tableEntry.end) !== 0) found.push(text.slice(begin, index));
      state = entry & tableEntry.state;
      if (state === tableStates.refused) return undefined;
      index += character.length;
    }
    return state === tableStates.accepted ? found : undefined;
  },
};
