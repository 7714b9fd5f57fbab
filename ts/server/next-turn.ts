/**
 * The connections that continue in the next turn of the loop. If a client has sent many requests at once, each turn serves one or a
 * few of them. So other clients wait for one operation at most.
 */
import type { Clock } from "../native/loop.ts";

/** Something that continues in the next turn. */
export interface Postponed {
  onTurn(): void;
}

/** The connections that continue in the next turn. */
export class NextTurn {
  private readonly clock: Clock;
  private postponed: Postponed[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Calls `onTurn` once, after the sockets have been checked again. */
  add(postponed: Postponed): void {
    if (this.postponed.length === 0) this.clock.setTimer(this.begin, 0);
    this.postponed.push(postponed);
  }

  private readonly begin = (): void => {
    const { postponed } = this;
    this.postponed = [];
    this.callAll(postponed, 0);
  };

  /** If one of them fails, the others still get their turns. */
  private callAll(postponed: readonly Postponed[], first: number): void {
    for (let index = first; index < postponed.length; index++) {
      try {
        postponed[index]?.onTurn();
      } catch (error) {
        this.callAll(postponed, index + 1);
        throw error;
      }
    }
  }
}
