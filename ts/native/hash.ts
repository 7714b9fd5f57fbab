/** The types of the C module `nound:hash`. */

export interface Hash {
  /**
   * @param bytes one character a byte.
   * @returns their SHA-256 (FIPS 180-4) as 64 hexadecimal digits, as sha256sum(1) prints it.
   * @throws RangeError for a character beyond U+00FF.
   */
  sha256(bytes: string): string;
  /**
   * For tables whose keys strangers choose: nobody outside can find two texts with the same hash, or learn from a time
   * how alike two texts are.
   * @returns the SipHash-1-3 of a text by a secret key of this process, 112 bits of it, as 16 characters.
   */
  keyed(text: string): string;
}
