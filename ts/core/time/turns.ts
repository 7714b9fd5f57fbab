/**
 * What continues in the next turn of the loop: connections whose clients have sent many requests at once, and
 * documents. All of them together have a limited time in a turn. So other clients wait for a millisecond and one
 * operation at most. And what follows at the end of this turn: the reading of a noun for those who must know at once.
 */
import type { Clock } from "../../native/loop.ts";
import { Alarm } from "./alarm.ts";

/** Of the engine, and of Node. */
declare const queueMicrotask: (job: () => void) => void;

/** ms of one turn of the loop. What would begin later continues in the next turn. */
export const turnTime = 1;

/** Something that continues in the next turn. */
export interface Postponed {
  /** Called after the next check of the sockets. @returns whether it is done; if not, it is next turn's first. */
  onTurn(): boolean;
}

/** Something that follows in this turn, once what happens now is over. */
export interface Following {
  onTurnEnd(): void;
}

/** What continues in the next turn, in its order. */
export class Turns {
  private readonly clock: Clock;
  private readonly waiting: Postponed[] = [];
  private readonly alarm: Alarm;
  /** What follows in this turn. */
  private following: Following[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
    this.alarm = new Alarm(clock, () => this.begin());
  }

  /** Calls `onTurn` in one of the next turns, behind those that were added before. */
  add(postponed: Postponed): void {
    this.alarm.set(this.clock.now());
    this.waiting.push(postponed);
  }

  /** Calls `onTurnEnd` in this turn, after the callback of the loop and the jobs that wait already. */
  follow(one: Following): void {
    if (this.following.length === 0) this.queue(this.end);
    this.following.push(one);
  }

  /** Has a function called once the callback of the loop has returned. */
  queue(job: () => void): void {
    queueMicrotask(job);
  }

  private readonly end = (): void => {
    const { following } = this;
    this.following = [];
    for (let index = 0; index < following.length; index++) following[index]?.onTurnEnd();
  };

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
