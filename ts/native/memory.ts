/** The types of the C module `nound:memory`: how much memory the script may have, and whether it is scarce. */

export interface Memory {
  /**
   * Sets how much memory the script may have. An allocation beyond it throws. Other code goes on with the memory that
   * is freed by that.
   * @param limit bytes, below 4 GiB; 0 for none, as it is until this is called.
   */
  limitMemory(limit: number): void;
  /**
   * Returns whether three quarters of the limit or more are in use. It collects garbage before it returns true, at most
   * once a second. Without a limit, it returns false.
   */
  isScarce(): boolean;
  /** @returns how many bytes are in use. */
  usedBytes(): number;
}
