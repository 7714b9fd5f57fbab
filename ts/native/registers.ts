/** The types of the C module `nound:registers`. */

/** The functions of `nound:registers`. */
export interface Registers {
  /**
   * Writes numbers between texts, in time in proportion to the length of what is written.
   * @param texts that stand before, between and behind the values, one after the other.
   * @param places of the values: `placeWords` numbers of 16 bits for each. Bytes of `texts` before it; the index in
   * `sources` and of its first byte there, or the index in `others`; its form.
   * @param sources bytes, one character a byte. @param others texts; the first one stands for what `sources` lack.
   * @throws RangeError for places beyond the texts; InternalError without memory.
   */
  write(texts: string, places: ArrayBuffer, sources: readonly string[], others: readonly string[]): string;
}

/** Numbers of a place. */
export const placeWords = 4;

/**
 * The bits of a form: a number below 0 if its highest bit is set; two registers, or one; the low byte of each is first;
 * the low register is first; from there on, how many of the digits are decimals, 3 at most; no number, but one of the
 * other texts.
 */
export const placeForm = { signed: 1, long: 2, swapped: 4, lowFirst: 8, decimals: 4, text: 0x40 } as const;
