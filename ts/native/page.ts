/** The types of the C module `nound:page`: the page for browsers, which the build makes from ts/page. */

/** The functions of `nound:page`. */
export interface Page {
  /** @returns the HTML document, compressed by gzip. It cannot be changed, and costs no memory of the script. */
  bytes(): ArrayBuffer;
  /** @returns its entity tag, in quotation marks. */
  tag(): string;
  /** @returns its Content-Security-Policy, which names its script and its style by their hashes. */
  policy(): string;
}
