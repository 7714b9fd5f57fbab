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

/**
 * Bytes a method may have. RFC 9112, 3: a method longer than any that is implemented is answered with 501; without a
 * bound a request line could go on for ever before its target is reached.
 */
export const methodBytes = 32;
