/**
 * The simulated twin of `nound:loop`'s clock: time passes when the test says so.
 *
 *     const clock = new SimulatedClock();
 *     clock.setTimer(() => pump.off(), 500);
 *     clock.advance(500);
 */
import type { Clock, TimerId } from "../loop.ts";

interface Timer {
  readonly moment: number;
  readonly callback: () => void;
}

export class SimulatedClock implements Clock {
  private time = 0;
  private lastId = 0;
  private readonly timers = new Map<TimerId, Timer>();

  /** Needs no `this`, as the native function needs none. */
  readonly now = (): number => this.time;

  /** Callbacks take no time here. */
  turnTime(): number {
    return 0;
  }

  setTimer(callback: () => void, delay: number): TimerId {
    this.lastId += 1;
    this.timers.set(this.lastId, { moment: this.time + Math.max(0, Math.ceil(delay)), callback });
    return this.lastId;
  }

  clearTimer(timer: TimerId): void {
    this.timers.delete(timer);
  }

  /** How many timers are running. */
  get running(): number {
    return this.timers.size;
  }

  /** When the next timer falls due; Infinity when none runs. */
  get nextMoment(): number {
    return Math.min(...Array.from(this.timers.values(), ({ moment }) => moment));
  }

  /** Lets `duration` ms pass; the timers that fall due are called in the order of their moments, each at its own. */
  advance(duration: number): void {
    const end = this.time + duration;
    for (;;) {
      let next: [TimerId, Timer] | undefined;
      for (const entry of this.timers) {
        if (entry[1].moment <= end && (next === undefined || entry[1].moment < next[1].moment)) next = entry;
      }
      if (next === undefined) break;
      const [id, timer] = next;
      this.timers.delete(id);
      this.time = Math.max(this.time, timer.moment);
      timer.callback();
    }
    this.time = end;
  }
}
