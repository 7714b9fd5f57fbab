/** The types of the C module `nound:interruption`: calls that are interrupted when they use the processor for too long. */

/** Calls functions that may never return: the nouns. */
export interface Interruption {
  /**
   * Sets how long an interruptible call may use the processor before it is interrupted. The time that it waits, for a
   * file or for its turn on the processor, does not count. The same limit applies to what nouns do without a call: jobs
   * of promises, and callbacks of lines and serial devices. All else is never interrupted. Until this is called there
   * is no limit, nor while the program starts, before the loop runs.
   * @param limit ms of processor time.
   */
  limitCalls(limit: number): void;
  /**
   * Calls a function that may never return. No `catch` or `finally` of its own sees its interruption; the caller gets
   * it as an error.
   * @returns what the function returns. @throws whatever it throws, or the interruption.
   */
  call<Args extends readonly unknown[], Result>(callee: (...args: Args) => Result, ...args: Args): Result;
  /**
   * Calls a function of nound from where a noun's code may be running: in a job of a promise, or in a call by a noun.
   * It is not interrupted, and its time is not the noun's.
   * @returns what the function returns. @throws whatever it throws.
   */
  exempt<Args extends readonly unknown[], Result>(callee: (...args: Args) => Result, ...args: Args): Result;
  /** @returns whether an error is the last interruption of a call. */
  isInterruption(error: unknown): boolean;
}
