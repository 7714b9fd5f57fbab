/**
 * Times of day, in the device's time zone, and times of the sun. What was missed, while the device was off or its clock
 * was wrong, is not made up for.
 *
 *     const schedule = new Schedule({ clock, wall, run }, { at: [22 * 60], days: [1, 2, 3, 4, 5] });
 *     schedule.start();
 */
import { Term } from "../../core/noun/reference.ts";
import { emptyState, type State } from "../../core/noun/state.ts";
import { Alarm } from "../../core/time/alarm.ts";
import { type ClockOrSun, parseTime, timeText } from "./at.ts";
import { DayTimes, dayOf } from "./day-times.ts";
import { type Days, isDayOf } from "./days.ts";
import type { RulesContext } from "./rules.ts";

/** The clock on the wall, which may jump. */
export interface WallClock {
  /** ms since 1970, UTC. */
  now(): number;
  /** @returns minutes that local time is ahead of UTC at that moment. */
  offset(moment: number): number;
  /** @returns whether the clock may be right when it shows this moment. */
  isCredible(moment: number): boolean;
  /** Somebody has set the clock. */
  wasSet(): void;
}

export interface ScheduleContext extends Pick<RulesContext, "clock" | "wall" | "location" | "onNewDay"> {
  readonly run: () => void;
}

/** A moment by both clocks, in ms. */
interface Moment {
  readonly now: number;
  readonly wall: number;
}

/** A look at the time: by both clocks, and the local minute since 1970. */
interface Look extends Moment {
  readonly minute: number;
}

const minute = 60_000;

/** A clock that shows an earlier moment has not been set: 2026-01-01. */
export const leastMoment = 1_767_225_600_000;

/** ms by which both clocks may differ between two looks; more is a jump of the clock on the wall. */
const mostDrift = 30_000;

/** @returns whether the clock on the wall was set between two moments. */
export function jumped(last: Moment, next: Moment): boolean {
  return Math.abs(next.wall - last.wall - (next.now - last.now)) > mostDrift;
}

/** Looks at the time each minute, because nothing tells when the clock is set. */
export class Schedule {
  private readonly context: ScheduleContext;
  private readonly at: readonly (ClockOrSun | Term)[];
  private readonly of: Days | undefined;
  private readonly times: DayTimes;
  private readonly alarm: Alarm;
  private last: Look | undefined;
  /** The day of the last run of each time: the same one comes once a day. */
  private readonly days = new Map<string, number>();

  constructor(
    context: ScheduleContext,
    { at, days }: { readonly at: readonly (ClockOrSun | Term)[]; readonly days?: Days | undefined },
  ) {
    this.context = context;
    this.at = at;
    this.of = days;
    this.times = new DayTimes(context.wall, context.location);
    this.alarm = new Alarm(context.clock, () => this.look());
  }

  /** @param left what the last process has left, where it goes on; untrusted. */
  start(left: State = emptyState): void {
    this.stop();
    const { looked, wall } = left;
    if (typeof looked === "number" && typeof wall === "number") {
      this.last = { now: looked, wall, minute: this.times.localMinute(wall) };
      for (const [name, day] of Object.entries(left)) {
        if (name.startsWith("day") && typeof day === "number") this.days.set(name.slice(3), day);
      }
    }
    this.look();
  }

  /** @returns what the next process needs to go on. */
  leave(): State {
    const { last, days } = this;
    if (last === undefined) return emptyState;
    const ran = Array.from(days, ([time, day]) => [`day${time}`, day] as const);
    return { looked: last.now, wall: last.wall, ...Object.fromEntries(ran) };
  }

  stop(): void {
    this.alarm.stop();
    this.last = undefined;
  }

  private look(): void {
    const { clock, wall } = this.context;
    const { at, last } = this;
    const [now, moment] = [clock.now(), wall.now()];
    const look = { now, wall: moment, minute: this.times.localMinute(moment) };
    this.last = look;
    this.alarm.set(now + minute - (moment % minute));
    const isNewDay = last !== undefined && dayOf(last.minute) !== dayOf(look.minute);
    if (isNewDay && at.some((time) => typeof time !== "number")) this.context.onNewDay?.();
    if (last === undefined) return;
    if (jumped(last, look)) {
      wall.wasSet();
      return;
    }
    if (last.wall < leastMoment || !wall.isCredible(moment)) return;
    if (at.some((time) => this.hasCome(time, last, look))) this.context.run();
  }

  /** @returns whether a time has come between two looks, for the first time on its day. It counts as having come then. */
  private hasCome(time: ClockOrSun | Term, last: Look, look: Look): boolean {
    const now = time instanceof Term ? parseTime(time.now) : time;
    if (now === undefined) return false;
    const [after, until] = [Math.floor(last.wall / minute), Math.floor(look.wall / minute)];
    // An offset may lead into another day than that of the event, and the zone into another one than that of UTC.
    for (let day = dayOf(after) - 2; day <= dayOf(until) + 2; day++) {
      const due = this.times.on(day, now);
      if (due === undefined || due.minute <= after || due.minute > until) continue;
      if (isDayOf(this.of, due.day) && this.isFirst(timeText(now), day)) return true;
    }
    return false;
  }

  /** @returns whether a time comes for the first time on a day. It counts as having come then. */
  private isFirst(time: string, day: number): boolean {
    if (this.days.get(time) === day) return false;
    // A time that a noun has changes: only those of the last days can come again.
    for (const [other, last] of this.days) if (last < day - 3) this.days.delete(other);
    this.days.set(time, day);
    return true;
  }
}
