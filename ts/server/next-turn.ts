/**
 * Who goes on in the next turn of the loop: a connection that has sent many requests at once has one or a few of them served in
 * each turn, so that nobody else waits for longer than the operation in hand.
 */
import type { Clock } from "../native/loop.ts";

/** Somebody who goes on in the next turn. */
export interface Postponed {
  onTurn(): void;
}

/** The connections that go on in the next turn. */
export class NextTurn {
  private readonly clock: Clock;
  private postponed: Postponed[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Calls `onTurn` once, when the sockets have been looked at again. */
  add(postponed: Postponed): void {
    if (this.postponed.length === 0) this.clock.setTimer(this.begin, 0);
    this.postponed.push(postponed);
  }

  private readonly begin = (): void => {
    const { postponed } = this;
    this.postponed = [];
    this.callAll(postponed, 0);
  };

  /** Also when one of them fails, the others have their turns. */
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
