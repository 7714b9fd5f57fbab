/**
 * One timer that its owner moves about.
 *
 *     const alarm = new Alarm(clock, () => pump.look());
 *     alarm.set(clock.now() + 500);
 *     alarm.stop();
 */
import type { Clock, TimerId } from "../../native/loop.ts";

export class Alarm {
  /** When it rings, in ms by the clock; Infinity while it is not set. */
  moment = Number.POSITIVE_INFINITY;
  private readonly clock: Clock;
  private readonly ring: (moment: number) => void;
  private timer: TimerId | undefined;
  /** What its timers call; made when the first one is, because most of a thousand alarms are never set. */
  declare private onTimer?: () => void;

  /** @param ring called in a turn of its own. It looks at the clock, because it may be called early. */
  constructor(clock: Clock, ring: (moment: number) => void) {
    this.clock = clock;
    this.ring = ring;
  }

  /** Whether it is going to ring. */
  get isSet(): boolean {
    return this.timer !== undefined;
  }

  stop(): void {
    if (this.timer === undefined) return;
    this.clock.clearTimer(this.timer);
    this.timer = undefined;
    this.moment = Number.POSITIVE_INFINITY;
  }

  /**
   * @param moment ms by the clock; Infinity for never. An alarm that is set for an earlier moment stays.
   * @throws Error without memory for a timer.
   */
  set(moment: number): void {
    if (moment < this.moment || moment === Number.POSITIVE_INFINITY) this.move(moment);
  }

  /** Sets it for this moment, also for a later one than before. @throws as `set`; it is then set as before. */
  move(moment: number): void {
    if (moment === Number.POSITIVE_INFINITY) {
      this.stop();
      return;
    }
    const last = this.timer;
    this.onTimer ??= () => {
      const due = this.moment;
      this.timer = undefined;
      this.moment = Number.POSITIVE_INFINITY;
      this.ring(due);
    };
    this.timer = this.clock.setTimer(this.onTimer, moment - this.clock.now());
    this.moment = moment;
    if (last !== undefined) this.clock.clearTimer(last);
  }
}
