/** The types of the C module `nound:memory`: how much memory the script may have, and whether that is nearly used up. */

/** The functions of `nound:memory`. */
export interface Memory {
  /**
   * Sets how much memory the script may have. What would take more throws instead; with what is freed meanwhile, the rest goes on.
   * @param limit bytes, below 4 GiB; 0 for none, as it is until this is called.
   */
  limitMemory(limit: number): void;
  /**
   * Tells whether three quarters of the limit or more are in use. Garbage is collected before the answer is yes, at most once a
   * second. Without a limit the answer is no.
   */
  isScarce(): boolean;
  /** @returns how many bytes are in use. */
  usedBytes(): number;
}
