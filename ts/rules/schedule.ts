/**
 * Times of day, in the device's time zone, and times of the sun. A time that summer time skips comes at the change, and
 * one that it repeats comes once. On a polar day, times of the sun are missing. What was missed, while the device was
 * off or its clock was wrong, is not made up for.
 *
 *     const schedule = new Schedule({ clock, wall, run }, { at: [22 * 60], days: [1, 2, 3, 4, 5] });
 *     schedule.start();
 */
import type { Clock } from "../native/loop.ts";
import { emptyState, type State } from "../noun/state.ts";
import { Alarm } from "../time/alarm.ts";
import { type At, minutesOfDay, type SunTime, sunText } from "./at.ts";
import { type Location, sunMoment } from "./sun.ts";

/** The clock on the wall, which may jump. */
export interface WallClock {
  /** ms since 1970, UTC. */
  now(): number;
  /** @returns minutes that local time is ahead of UTC at that moment. */
  offset(moment: number): number;
}

export interface ScheduleOptions {
  readonly at: readonly At[];
  /** 0 for Sunday to 6; all days if left out. */
  readonly days?: readonly number[] | undefined;
}

export interface ScheduleContext {
  readonly clock: Clock;
  readonly wall: WallClock;
  /** Where the device is; only times of the sun need it. */
  readonly location?: Location | undefined;
  /** Called when another day has begun, for a schedule with times of the sun. */
  readonly onNewDay?: (() => void) | undefined;
  readonly run: () => void;
}

const minute = 60_000;

/** A clock that shows an earlier moment has not been set: 2026-01-01. */
const leastMoment = 1_767_225_600_000;

/** ms by which both clocks may differ between two looks; more is a jump of the clock on the wall. */
const mostDrift = 30_000;

/** Looks at the time each minute, because nothing tells when the clock is set. */
export class Schedule {
  private readonly context: ScheduleContext;
  private readonly options: ScheduleOptions;
  private readonly alarm: Alarm;
  /** The last look: by both clocks, and the local minute since 1970. */
  private last: { readonly now: number; readonly wall: number; readonly minute: number } | undefined;
  /** The day of the last run of each time: the same one comes once a day. */
  private readonly days = new Map<string, number>();
  private readonly times: readonly number[];
  private readonly sunTimes: readonly SunTime[];
  /** Moments of the sun that were computed, by event and day: they are needed each minute. */
  private readonly moments = new Map<string, number | undefined>();

  constructor(context: ScheduleContext, options: ScheduleOptions) {
    this.context = context;
    this.options = options;
    this.times = options.at.filter((time) => typeof time === "number");
    this.sunTimes = options.at.filter((time) => typeof time !== "number");
    this.alarm = new Alarm(context.clock, () => this.look());
  }

  /** @param left what the last process has left, where it goes on; untrusted. */
  start(left: State = emptyState): void {
    this.stop();
    const { looked, wall } = left;
    if (typeof looked === "number" && typeof wall === "number") {
      this.last = { now: looked, wall, minute: this.localMinute(wall) };
      for (const time of [...this.times.map(String), ...this.sunTimes.map(sunText)]) {
        const day = left[`day${time}`];
        if (typeof day === "number") this.days.set(time, day);
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
    const { last } = this;
    const [now, moment] = [clock.now(), wall.now()];
    const local = this.localMinute(moment);
    this.last = { now, wall: moment, minute: local };
    this.alarm.set(now + minute - (moment % minute));
    const isNewDay = last !== undefined && Math.floor(last.minute / minutesOfDay) !== Math.floor(local / minutesOfDay);
    if (isNewDay && this.sunTimes.length > 0) this.context.onNewDay?.();
    if (last === undefined || last.wall < leastMoment) return;
    if (Math.abs(moment - last.wall - (now - last.now)) > mostDrift) return;
    if (this.isSunDue(Math.floor(last.wall / minute), Math.floor(moment / minute))) {
      this.context.run();
      return;
    }
    // Backwards at the end of summer time, then none of them.
    for (let one = last.minute + 1; one <= local; one++) {
      if (this.isDue(one)) {
        this.context.run();
        return;
      }
    }
  }

  private localMinute(moment: number): number {
    return Math.floor(moment / minute) + this.context.wall.offset(moment);
  }

  /** @returns whether the sun has come to one of the times after the first minute since 1970 and up to the other. */
  private isSunDue(after: number, until: number): boolean {
    return this.sunTimes.some((time) => {
      const today = Math.floor(until / minutesOfDay);
      // The day of an event is that of its noon, whatever the zone and the offset make of its moment.
      return [today - 1, today, today + 1].some((day) => {
        const event = this.sunMinute(time, day);
        if (event === undefined || event + time.offset <= after || event + time.offset > until) return false;
        return (
          this.isDayOf(Math.floor(this.localMinute(event * minute) / minutesOfDay)) && this.isFirst(sunText(time), day)
        );
      });
    });
  }

  /** @returns the minute since 1970 in which the sun is there; undefined if it is not on that day. */
  private sunMinute({ sun }: SunTime, day: number): number | undefined {
    const { location } = this.context;
    const key = `${sun}${day}`;
    if (location !== undefined && !this.moments.has(key)) {
      const moment = sunMoment(sun, day, location);
      if (this.moments.size > 32) this.moments.clear();
      this.moments.set(key, moment === undefined ? undefined : Math.round(moment));
    }
    return this.moments.get(key);
  }

  private isDayOf(day: number): boolean {
    // 1970 began on a Thursday.
    return this.options.days?.includes((day + 4) % 7) !== false;
  }

  /** @returns whether a time comes for the first time on a day. It counts as having come then. */
  private isFirst(time: string, day: number): boolean {
    if (this.days.get(time) === day) return false;
    this.days.set(time, day);
    return true;
  }

  /** @param local the minute since 1970. @returns whether a run is due in it, which then counts as having come. */
  private isDue(local: number): boolean {
    const day = Math.floor(local / minutesOfDay);
    const time = local - day * minutesOfDay;
    return this.times.includes(time) && this.isDayOf(day) && this.isFirst(String(time), day);
  }
}
