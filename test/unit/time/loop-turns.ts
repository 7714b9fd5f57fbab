/** The turns of a simulated loop, run one by one. */
import type { SimulatedClock } from "../../../ts/native/simulated/clock.ts";

export class LoopTurns {
  /** ms that the turn has taken. */
  time: number;
  private readonly atFirst: number;
  private readonly begun: (() => void)[] = [];

  /** @param time ms that each turn has taken when its timers fire. */
  constructor(clock: SimulatedClock, time = 0) {
    this.time = time;
    this.atFirst = time;
    const setTimer = clock.setTimer.bind(clock);
    clock.turnTime = () => this.time;
    clock.setTimer = (callback, delay) => (delay > 0 ? setTimer(callback, delay) : -this.begun.push(callback));
  }

  /** Runs the next turn. */
  next(): void {
    this.time = this.atFirst;
    for (const callback of this.begun.splice(0)) callback();
  }

  /** Runs turns until there is nothing to do. */
  all(): void {
    while (this.begun.length > 0) this.next();
  }
}
