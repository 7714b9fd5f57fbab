/** The simulated twin of `nound:lexer`. */
import { type Lexer, tableColumns, tableEffect, tableEntry, tableStates } from "../lexer.ts";

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
  rewrite(text, buffer, effectBuffer, first, before) {
    const [table, effects] = [new Uint8Array(buffer), new Uint8Array(effectBuffer)];
    let [written, state, number, characters] = ["", first, before, 0];
    /** The state behind the characters that are being counted. */
    let behind: number | undefined;
    for (const character of text) {
      const effect = behind === undefined ? entryOf(effects, state, character) : tableEffect.counted;
      const next = behind ?? entryOf(table, state, character) & tableEntry.state;
      if (next === refused || next * tableColumns >= table.length) break;
      characters += 1;
      if (effect === tableEffect.keep || effect === tableEffect.counted) written += character;
      else if (effect < tableEffect.drop) written += String.fromCharCode(effect);
      if (effect === tableEffect.digit || effect === tableEffect.unit)
        number = (number * 16 + Number.parseInt(character, 16)) % 2 ** 32;
      if (effect === tableEffect.unit) {
        written += String.fromCharCode(number % 2 ** 16);
        number = 0;
      }
      if (effect === tableEffect.counted) number = Math.max(number - 1, 0);
      behind = effect === tableEffect.counted && number > 0 ? next : undefined;
      if (behind === undefined) state = next;
    }
    return [written, characters, state, number];
  },
};
