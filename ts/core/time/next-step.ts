/**
 * What its owner does next: one step, or a check each minute. Until the end an alarm is set all the time, and set again
 * before what it was for is done, because there may be no memory for it later.
 */
import type { Clock } from "../../native/loop.ts";
import { Alarm } from "./alarm.ts";

/** ms after which the owner looks whether something has been forgotten, if nothing else is due. */
const checkInterval = 60_000;

export class NextStep {
  private readonly clock: Clock;
  private readonly check: () => void;
  private step: () => void;
  private readonly alarm: Alarm;

  /** @param check is called each minute in which nothing else is due. */
  constructor(clock: Clock, check: () => void) {
    this.clock = clock;
    this.check = check;
    this.step = check;
    this.alarm = new Alarm(clock, () => {
      const { step } = this;
      try {
        this.wait();
      } finally {
        step();
      }
    });
  }

  /** Does a step after a delay in ms, and no other before. */
  after(delay: number, step: () => void): void {
    this.alarm.move(this.clock.now() + delay);
    this.step = step;
  }

  /** Does nothing until the next check. */
  wait(): void {
    this.after(checkInterval, this.check);
  }

  /** Does nothing any more. */
  end(): void {
    this.alarm.stop();
  }
}
