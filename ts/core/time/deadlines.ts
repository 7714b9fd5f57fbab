/**
 * The deadlines of many connections under one timer. Setting a deadline stores a number. The timer is moved only for a
 * deadline earlier than the next check, and a check skips deadlines that have been postponed. When the last one ends
 * its watch, the timer runs on for the next one, so that a request with a connection of its own neither starts nor
 * stops it.
 */
import type { Clock } from "../../native/loop.ts";
import { Alarm } from "./alarm.ts";

/** Something that may have a deadline. */
export interface Timed {
  /** The moment by the clock, in ms; Infinity for none. After setting an earlier moment, call `reschedule`. */
  deadline: number;
  /** Called when the deadline has passed. Without a new deadline, it is called again at the next check. */
  onDeadline(now: number): void;
}

/** The shortest time between two checks, in ms. A deadline may be noticed this much late. */
const granularity = 20;

/** The deadlines of a server's connections, or of its streams. */
export class Deadlines<Member extends Timed> {
  /** All that is watched, oldest first. Only `add` and `remove` change it. */
  readonly members = new Set<Member>();
  private readonly clock: Clock;
  private readonly alarm: Alarm;
  private isEnding = false;

  constructor(clock: Clock) {
    this.clock = clock;
    this.alarm = new Alarm(clock, (due) => this.look(due));
  }

  add(timed: Member): void {
    this.members.add(timed);
    this.reschedule(timed);
  }

  remove(timed: Member): void {
    this.members.delete(timed);
    if (this.isEnding) this.stopIfUnused();
  }

  /** From now on no timer runs without a deadline, because the program ends when nothing runs. */
  end(): void {
    this.isEnding = true;
    this.stopIfUnused();
  }

  /** Call this when a deadline may have become earlier than the next check. */
  reschedule({ deadline }: Member): void {
    if (deadline < this.alarm.moment) this.lookAt(deadline);
  }

  private stopIfUnused(): void {
    if (this.members.size === 0) this.alarm.stop();
  }

  private lookAt(moment: number): void {
    this.alarm.move(Math.max(moment, this.clock.now() + granularity));
  }

  /**
   * @param due the moment that the alarm was set for. After a stall, only what arrived before that moment has certainly
   *   been read, so the clock does not decide.
   */
  private look(due: number): void {
    const now = this.clock.now();
    // The next check is set first: later there may be no memory for it.
    if (this.members.size > 0) this.lookAt(now);
    let failure: unknown;
    for (const timed of this.members) {
      if (timed.deadline > due) continue;
      try {
        timed.onDeadline(now);
      } catch (error) {
        failure = error; // the others keep their deadlines
      }
    }
    let earliest = Number.POSITIVE_INFINITY;
    for (const timed of this.members) earliest = Math.min(earliest, timed.deadline);
    this.lookAt(earliest);
    if (failure !== undefined) throw failure;
  }
}
