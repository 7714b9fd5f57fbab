/** The sizes a request may have. */

/** Limits of the request parser. Sizes in bytes. */
export interface RequestLimits {
  /** Bytes a request target may have. */
  readonly targetBytes: number;
  /** Bytes all field lines of a header section may have, their line ends included. */
  readonly headerBytes: number;
  /** Field lines a header section may have. */
  readonly headerFields: number;
  /** Bytes a chunked body may have. */
  readonly bodyBytes: number;
}

/** Bytes a method may have: one that is longer than any that is implemented gets a 501 (RFC 9112, 3). */
export const methodBytes = 32;
