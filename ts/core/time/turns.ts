/**
 * What continues in the next turn of the loop: connections whose clients have sent many requests at once, and
 * documents. All of them together have a limited time in a turn. So other clients wait for a millisecond and one
 * operation at most.
 */
import type { Clock } from "../../native/loop.ts";
import { Alarm } from "./alarm.ts";

/** ms of one turn of the loop. What would begin later continues in the next turn. */
export const turnTime = 1;

/** Something that continues in the next turn. */
export interface Postponed {
  /** Called after the next check of the sockets. @returns whether it is done; if not, it is next turn's first. */
  onTurn(): boolean;
}

/** What continues in the next turn, in its order. */
export class Turns {
  private readonly clock: Clock;
  private readonly waiting: Postponed[] = [];
  private readonly alarm: Alarm;

  constructor(clock: Clock) {
    this.clock = clock;
    this.alarm = new Alarm(clock, () => this.begin());
  }

  /** Calls `onTurn` in one of the next turns, behind those that were added before. */
  add(postponed: Postponed): void {
    this.alarm.set(this.clock.now());
    this.waiting.push(postponed);
  }

  /** @returns whether this turn has time left. */
  readonly hasTime = (): boolean => this.clock.turnTime() < turnTime;

  private begin(): void {
    const { waiting } = this;
    let failure: unknown;
    while (waiting.length > 0) {
      let isDone = true;
      try {
        isDone = (waiting[0] as Postponed).onTurn();
      } catch (error) {
        failure = error; // the others still get their turns
      }
      if (isDone) waiting.shift();
      if (waiting.length > 0 && !this.hasTime() && this.hasNext()) break;
    }
    if (failure !== undefined) throw failure;
  }

  /** @returns whether there is another turn: not without memory for a timer, and then all must go on in this one. */
  private hasNext(): boolean {
    try {
      this.alarm.set(this.clock.now());
      return true;
    } catch {
      return false;
    }
  }
}
