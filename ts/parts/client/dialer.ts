/**
 * The way to the connector: asks it for one connection to a target at a time, and for eight in all. Other questions
 * wait here, so that a target that hangs takes one place, however often it is asked for. Targets that were reached last
 * time go first, and have places that nobody else gets, also on the day on which nine others hang for the first time.
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

/**
 * How many connections may be under way to targets that were not reached last time; to these and to targets that were
 * not asked for before; and to all. The connector takes as many.
 */
const places = [4, 6, 8] as const;

export class Dialer implements Pick<Connector, "connect"> {
  private readonly clock: Clock;
  private readonly connector: Pick<Connector, "connect">;
  private readonly waiting: Dial[] = [];
  /** The targets that the connector has been asked for. */
  private readonly asked = new Set<number>();
  /** Whether a target was reached last time. */
  private readonly reached = new Map<number, boolean>();

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
      const { next } = this;
      const [dial] = next < 0 ? [] : this.waiting.splice(next, 1);
      if (dial === undefined) return;
      const time = dial.deadline - this.clock.now();
      if (time > 0) this.ask(dial, time);
      else dial.done(undefined, "earlier connections took too long");
    }
  }

  /** The index of the question whose turn it is; -1 if all have to wait. */
  private get next(): number {
    const { waiting } = this;
    const now = this.clock.now();
    const late = waiting.findIndex(({ deadline }) => deadline <= now);
    if (late >= 0) return late;
    for (const most of places.toReversed()) {
      const index = waiting.findIndex(({ target }) => this.placesFor(target) === most && this.hasPlace(target));
      if (index >= 0) return index;
    }
    return -1;
  }

  private placesFor(target: number): number {
    const isReached = this.reached.get(target);
    return isReached === undefined ? places[1] : isReached ? places[2] : places[0];
  }

  private hasPlace(target: number): boolean {
    if (this.asked.has(target)) return false;
    const most = this.placesFor(target);
    return [...this.asked].filter((one) => this.placesFor(one) <= most).length < most;
  }

  private ask({ target, done }: Dial, time: number): void {
    this.asked.add(target);
    try {
      this.connector.connect(target, time, (socket, reason) => {
        this.asked.delete(target);
        this.reached.set(target, socket !== undefined);
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
