/**
 * The way to the connector: asks it for one connection to a target at a time, and for eight in all. Other questions
 * wait here, in order, so that a target that hangs takes one place, however often it is asked for. Half of the places
 * are kept for targets that were reached last time, or were not asked for before.
 *
 *     const dialer = new Dialer(clock, connector);
 *     dialer.connect(0, 4_000, (socket, reason) => ...);
 */

import { Alarm } from "../../core/time/alarm.ts";
import type { Connector } from "../../native/connector.ts";
import type { Clock } from "../../native/loop.ts";

type Done = Parameters<Connector["connect"]>[2];

/** A question that waits. */
interface Dial {
  readonly target: number;
  /** In ms on the clock. */
  readonly deadline: number;
  readonly done: Done;
}

/** As many as the connector takes. */
const mostAsked = 8;

/** Of these, the places for targets that were not reached last time. */
const mostRetried = mostAsked / 2;

export class Dialer implements Pick<Connector, "connect"> {
  private readonly clock: Clock;
  private readonly connector: Pick<Connector, "connect">;
  private readonly waiting: Dial[] = [];
  /** The targets that the connector has been asked for. */
  private readonly asked = new Set<number>();
  /** The targets that were not reached last time. */
  private readonly unreached = new Set<number>();

  constructor(clock: Clock, connector: Pick<Connector, "connect">) {
    this.clock = clock;
    this.connector = connector;
  }

  /**
   * Connects when the target's turn comes.
   * @param target its number at the connector.
   * @param time ms from now, at most 10 s, after which there is no connection.
   * @param done called once, in another turn, as by `connect` of the connector, also with the error that this throws. A
   *   call may come later than `time` if the connector has ended.
   */
  connect(target: number, time: number, done: Done): void {
    this.waiting.push({ target, deadline: this.clock.now() + time, done });
    this.askNext();
  }

  private askNext(): void {
    for (;;) {
      const now = this.clock.now();
      const { waiting } = this;
      const next = waiting.findIndex(({ target, deadline }) => deadline <= now || this.hasPlace(target));
      const [dial] = next < 0 ? [] : waiting.splice(next, 1);
      if (dial === undefined) return;
      if (dial.deadline > now) this.ask(dial, dial.deadline - now);
      else dial.done(undefined, "earlier connections took too long");
    }
  }

  private hasPlace(target: number): boolean {
    const { asked, unreached } = this;
    if (asked.size === mostAsked || asked.has(target)) return false;
    return !unreached.has(target) || [...asked].filter((one) => unreached.has(one)).length < mostRetried;
  }

  private ask({ target, done }: Dial, time: number): void {
    this.asked.add(target);
    try {
      this.connector.connect(target, time, (socket, reason) => {
        this.asked.delete(target);
        if (socket === undefined) this.unreached.add(target);
        else this.unreached.delete(target);
        try {
          done(socket, reason);
        } finally {
          this.askNext();
        }
      });
    } catch (error) {
      this.asked.delete(target);
      const reason = error instanceof Error ? error.message : "an unknown error";
      new Alarm(this.clock, () => done(undefined, reason)).set(this.clock.now());
    }
  }
}
