/** The types of the C module `nound:loop`: the clock, the timers and the signals of the event loop. */

/** Names a running timer. */
export type TimerId = number;

/** A monotonic clock with one-shot timers; the server and the nouns get the time from it. */
export interface Clock {
  /** Milliseconds since a fixed moment (CLOCK_MONOTONIC, read once in each turn of the loop). They never decrease. */
  now(): number;
  /** ms, with fractions, since the loop began this turn. The clock is read for it. */
  turnTime(): number;
  /** Calls back once, from the loop, no earlier than `delay` ms from now, in whole ms; in the next turn for 0 and less. */
  setTimer(callback: () => void, delay: number): TimerId;
  /** Forgets a timer. A timer that has fired or was cleared is ignored. */
  clearTimer(timer: TimerId): void;
}

export interface Loop extends Clock {
  /** Like `setTimer`, but the callback may be an author's code: its call is interruptible (ts/native/interruption.ts). */
  setNounTimer: Clock["setTimer"];
  /**
   * Sets the handler of SIGTERM and SIGINT. Each signal calls it, with a little memory beyond the limit. Without a
   * handler, or if the handler throws, the signal ends the process.
   */
  onSignal(handler: (name: "SIGTERM" | "SIGINT" | "SIGHUP") => void): void;
  /**
   * Sets the handler for promises that were rejected and that nothing has handled by the end of the turn. The service
   * goes on.
   * @param handler takes the reason, and the function whose interruptible call made the promise, where there was one.
   */
  onUnhandledRejection(handler: (reason: unknown, callee: unknown) => void): void;
  /**
   * Sets the handler for errors that a callback from the loop throws. The service goes on, also if the handler itself
   * throws, for example because memory is short. Without a handler, such an error ends the process with status 70.
   */
  onUncaughtError(handler: (error: unknown) => void): void;
  /**
   * Sets the handler for a standstill: for more than 5 s (CLOCK_BOOTTIME) the loop began no turn, because the process
   * was stopped or frozen, the machine suspended, or a turn took so long. Nothing that has come meanwhile was read.
   * @param handler takes the ms.
   */
  onStandstill(handler: (duration: number) => void): void;
  /** Leaves the loop at the end of this turn; the process exits with `status`. */
  exit(status: number): void;
}
