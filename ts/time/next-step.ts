/**
 * What its owner does next: one step, or a check each minute. Until the end a timer runs all the time: the next one is
 * set before the last one is dropped, or before what it was for is done, because there may be no memory for it later.
 */
import type { Clock, TimerId } from "../native/loop.ts";

/** ms after which the owner looks whether something has been forgotten, if nothing else is due. */
const checkInterval = 60_000;

export class NextStep {
  private readonly clock: Clock;
  private readonly check: () => void;
  private timer: TimerId | undefined;

  /** @param check is called each minute in which nothing else is due. */
  constructor(clock: Clock, check: () => void) {
    this.clock = clock;
    this.check = check;
  }

  /** Does a step after a delay in ms, and no other before. */
  after(delay: number, step: () => void): void {
    const last = this.timer;
    this.timer = this.clock.setTimer(() => {
      this.timer = undefined;
      try {
        this.wait();
      } finally {
        step();
      }
    }, delay);
    if (last !== undefined) this.clock.clearTimer(last);
  }

  /** Does nothing until the next check. */
  wait(): void {
    this.after(checkInterval, this.check);
  }

  /** Does nothing any more. */
  end(): void {
    if (this.timer !== undefined) this.clock.clearTimer(this.timer);
    this.timer = undefined;
  }
}
