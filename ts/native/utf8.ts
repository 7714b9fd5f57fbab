/** The types of the C module `nound:utf8`. */

/** The functions of `nound:utf8`. Both take time in proportion to the length of their argument. */
export interface Utf8 {
  /**
   * Decodes strict UTF-8 (RFC 3629). Over-long forms, surrogates and code points above U+10FFFF are errors, not U+FFFD.
   * @param bytes one character a byte.
   * @returns the text, or undefined when the bytes are not UTF-8. A byte-order mark stays in the text.
   * @throws RangeError for a character beyond U+00FF; InternalError without memory.
   */
  decode(bytes: string): string | undefined;
  /**
   * @returns how many bytes the UTF-8 encoding of the text has. Half of a surrogate pair has three.
   * @throws InternalError without memory.
   */
  byteLength(text: string): number;
}
