/** The types of the C module `nound:lexer`. */

/**
 * The functions of `nound:lexer`.
 *
 * A transition table has a row for each state and a column for each ASCII character; the last column is for all other
 * characters. An entry is one byte: the next state in its lower six bits; 0x40 when a token begins with the character;
 * 0x80 when one ends before it. Nothing leads out of state 0, which refuses a text. State 1 accepts a text that ends
 * there. A text begins in state 2.
 */
export interface Lexer {
  /**
   * Walks through a text by a transition table, in time in proportion to its length.
   * @returns its tokens; undefined where the text is refused.
   * @throws TypeError for what is no table; InternalError without memory.
   */
  tokens(text: string, table: ArrayBuffer): string[] | undefined;
  /**
   * Walks through a text as far as a transition table allows, in time in proportion to its length.
   * @param state in which the text begins.
   * @returns the number of characters before the first one that is refused, and the state behind them.
   * @throws TypeError for what is no table; RangeError for a state that the table lacks; InternalError without memory.
   */
  follow(text: string, table: ArrayBuffer, state: number): readonly [characters: number, state: number];
  /**
   * Walks as `follow` does, and writes a text by a table of effects, which has an effect for each entry of the
   * transition table.
   * @param number what the digits before `text` have come to.
   * @returns the written text; the number of characters before the first one that is refused; the state and the number
   * behind them.
   * @throws TypeError for what is no table, or for tables of different sizes; RangeError for a state that the table
   *   lacks; InternalError without memory.
   */
  rewrite(
    text: string,
    table: ArrayBuffer,
    effects: ArrayBuffer,
    state: number,
    number: number,
  ): readonly [written: string, characters: number, state: number, number: number];
}

/** Columns of a transition table. */
export const tableColumns = 129;
/** The states that every table has. */
export const tableStates = { refused: 0, accepted: 1, first: 2 } as const;
/** The bits of an entry. */
export const tableEntry = { state: 0x3f, begin: 0x40, end: 0x80 } as const;
/**
 * What becomes of a character. One of `keep` is written as it is; one of `counted` too, and so are those behind it that
 * its number counts, whatever they are: the state is left with the last of them. A `digit` is hexadecimal; it continues
 * the number and is not written. With a digit of `unit`, the number is written as a UTF-16 code unit, and begins again.
 * Effects from 1 to 0x7f are ASCII characters that are written in the character's place.
 */
export const tableEffect = { keep: 0, drop: 0x80, digit: 0x90, unit: 0xa0, counted: 0xb0 } as const;
