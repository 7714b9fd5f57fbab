/** The types of the C module `nound:page`: the page for browsers, which the build makes from ts/page. */

export interface Page {
  /** @returns the HTML document, compressed by gzip. It cannot be changed, and costs no memory of the script. */
  bytes(): ArrayBuffer;
  /** @returns the languages that it can have besides English (ISO 639-1), separated by spaces. */
  languages(): string;
  /** @param place the place of a language in `languages`. @returns its words as JSON, compressed by gzip. */
  words(place: number): ArrayBuffer;
  /** @returns its entity tag, which is also that of the words, in quotation marks. */
  tag(): string;
  /** @returns its Content-Security-Policy, which names its script and its style by their hashes. */
  policy(): string;
}
