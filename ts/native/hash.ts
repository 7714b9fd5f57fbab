/** The types of the C module `nound:hash`. */

export interface Hash {
  /**
   * @param bytes one character a byte.
   * @returns their SHA-256 (FIPS 180-4) as 64 hexadecimal digits, as sha256sum(1) prints it.
   * @throws RangeError for a character beyond U+00FF.
   */
  sha256(bytes: string): string;
}
