/**
 * The deadlines of many connections under one timer. Setting one is storing a number: the timer is moved only for a deadline
 * earlier than the next look, and a look skips what has been put off since. With nothing to wait for, nothing ticks.
 */
import type { Clock, TimerId } from "../native/loop.ts";

/** Something that has a deadline now and then. */
export interface Timed {
  /** The moment by the clock, in ms; Infinity for none. To set it to an earlier moment, call `reschedule` too. */
  deadline: number;
  /** Is told that the deadline has passed. The callee must set it again, or it is called again at the next look. */
  onDeadline(now: number): void;
}

/** ms between two looks at least: what one timer stands for may come this much late. */
const granularity = 20;

/** The deadlines of one server's connections. */
export class Deadlines {
  private readonly clock: Clock;
  private readonly timed = new Set<Timed>();
  private timer: TimerId | undefined;
  private nextLook = Number.POSITIVE_INFINITY;
  /** The moment that the timer was set for. */
  private due = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Begins to watch. */
  add(timed: Timed): void {
    this.timed.add(timed);
    this.reschedule(timed);
  }

  /** Ends the watch. */
  remove(timed: Timed): void {
    this.timed.delete(timed);
    if (this.timed.size === 0) this.lookAt(Number.POSITIVE_INFINITY);
  }

  /** To be called when a deadline may have come to lie before the next look. */
  reschedule(timed: Timed): void {
    if (timed.deadline < this.nextLook) this.lookAt(timed.deadline);
  }

  private lookAt(moment: number): void {
    if (this.timer !== undefined) this.clock.clearTimer(this.timer);
    this.nextLook = Number.POSITIVE_INFINITY;
    this.timer = undefined;
    if (moment === Number.POSITIVE_INFINITY) return;
    // It may fail because memory is short: the next deadline then has it tried again.
    const now = this.clock.now();
    const delay = Math.max(moment - now, granularity);
    this.timer = this.clock.setTimer(this.look, delay);
    this.nextLook = moment;
    this.due = now + delay;
  }

  private readonly look = (): void => {
    this.timer = undefined;
    const now = this.clock.now();
    try {
      // By the moment that the timer was set for, not by the clock: after a stall, only what arrived before that moment has
      // certainly been read.
      const due = this.due;
      for (const timed of this.timed) {
        if (timed.deadline <= due) timed.onDeadline(now);
      }
    } finally {
      // Also when one of them failed: the others keep their deadlines.
      let earliest = Number.POSITIVE_INFINITY;
      for (const timed of this.timed) earliest = Math.min(earliest, timed.deadline);
      this.lookAt(earliest);
    }
  };
}
