/** The types of the C module `nound:loop`: the clock, the timers and the signals of the event loop. */

/** Names a running timer. */
export type TimerId = number;

/** A monotonic clock with one-shot timers; what the server and the nouns take their time from. */
export interface Clock {
  /** Milliseconds since some fixed moment, never stepping back (CLOCK_MONOTONIC, taken once each turn of the loop). */
  now(): number;
  /** ms, with fractions, since the loop began this turn. The clock is read for it. */
  turnTime(): number;
  /** Calls back once, from the loop, no earlier than `delay` ms from now. */
  setTimer(callback: () => void, delay: number): TimerId;
  /** Forgets a timer. A timer that has fired or was cleared is ignored. */
  clearTimer(timer: TimerId): void;
}

/** The functions of `nound:loop`. */
export interface Loop extends Clock {
  /**
   * Says what to do on SIGTERM and SIGINT; each further signal calls again, with a little memory beyond the limit. Without a handler
   * the process ends as usual, and so it does when the handler throws.
   */
  onSignal(handler: (name: "SIGTERM" | "SIGINT" | "SIGHUP") => void): void;
  /**
   * Is told of each promise that was rejected and handled by nobody by the end of the turn; the service goes on.
   * @param handler takes the reason, and the function whose guarded call made the promise, where there was one.
   */
  onUnhandledRejection(handler: (reason: unknown, callee: unknown) => void): void;
  /** Is told of what a callback from the loop threw; the service goes on. Without a handler such an error ends the process with status 70. */
  onUncaughtError(handler: (error: unknown) => void): void;
  /** Leaves the loop at the end of this turn; the process exits with `status`. */
  exit(status: number): void;
}
