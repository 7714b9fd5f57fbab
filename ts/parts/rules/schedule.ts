/**
 * Times of day, in the device's time zone, and times of the sun. A time that summer time skips comes at the change, and
 * one that it repeats comes once. On a polar day, times of the sun are missing. What was missed, while the device was
 * off or its clock was wrong, is not made up for.
 *
 *     const schedule = new Schedule({ clock, wall, run }, { at: [22 * 60], days: [1, 2, 3, 4, 5] });
 *     schedule.start();
 */
import { emptyState, type State } from "../../core/noun/state.ts";
import { Alarm } from "../../core/time/alarm.ts";
import { type At, minutesOfDay, type SunTime, sunText } from "./at.ts";
import type { RuleOptions } from "./rule.ts";
import type { RulesContext } from "./rules.ts";
import { sunMoment } from "./sun.ts";

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

/** A look at the time: by both clocks, and the local minute since 1970. */
interface Look {
  readonly now: number;
  readonly wall: number;
  readonly minute: number;
}

const minute = 60_000;

/** @returns the day of a minute since 1970. */
const dayOf = (minutes: number): number => Math.floor(minutes / minutesOfDay);

const textOf = (time: At): string => (typeof time === "number" ? String(time) : sunText(time));

/** A clock that shows an earlier moment has not been set: 2026-01-01. */
const leastMoment = 1_767_225_600_000;

/** ms by which both clocks may differ between two looks; more is a jump of the clock on the wall. */
const mostDrift = 30_000;

/** Looks at the time each minute, because nothing tells when the clock is set. */
export class Schedule {
  private readonly context: ScheduleContext;
  private readonly at: readonly At[];
  private readonly weekdays: readonly number[] | undefined;
  private readonly alarm: Alarm;
  private last: Look | undefined;
  /** The day of the last run of each time: the same one comes once a day. */
  private readonly days = new Map<string, number>();
  /** Moments of the sun that were computed, by event and day: they are needed each minute. */
  private readonly moments = new Map<string, number | undefined>();

  constructor(context: ScheduleContext, { at = [], days }: Pick<RuleOptions, "at" | "days">) {
    this.context = context;
    this.at = at;
    this.weekdays = days;
    this.alarm = new Alarm(context.clock, () => this.look());
  }

  /** @param left what the last process has left, where it goes on; untrusted. */
  start(left: State = emptyState): void {
    this.stop();
    const { looked, wall } = left;
    if (typeof looked === "number" && typeof wall === "number") {
      this.last = { now: looked, wall, minute: this.localMinute(wall) };
      for (const time of this.at.map(textOf)) {
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
    const { at, last } = this;
    const [now, moment] = [clock.now(), wall.now()];
    const look = { now, wall: moment, minute: this.localMinute(moment) };
    this.last = look;
    this.alarm.set(now + minute - (moment % minute));
    const isNewDay = last !== undefined && dayOf(last.minute) !== dayOf(look.minute);
    if (isNewDay && at.some((time) => typeof time !== "number")) this.context.onNewDay?.();
    if (last === undefined) return;
    if (Math.abs(moment - last.wall - (now - last.now)) > mostDrift) {
      wall.wasSet();
      return;
    }
    if (last.wall < leastMoment || !wall.isCredible(moment)) return;
    if (at.some((time) => this.hasCome(time, last, look))) this.context.run();
  }

  private localMinute(moment: number): number {
    return Math.floor(moment / minute) + this.context.wall.offset(moment);
  }

  /**
   * @returns whether a time has come between two looks, for the first time on its day. It counts as having come then.
   *   Local minutes go backwards at the end of summer time: none comes twice. The sun needs no zone.
   */
  private hasCome(time: At, last: Look, look: Look): boolean {
    const isLocal = typeof time === "number";
    const [after, until] = isLocal
      ? [last.minute, look.minute]
      : [Math.floor(last.wall / minute), Math.floor(look.wall / minute)];
    // The day of an event of the sun is that of its noon, whatever the zone and the offset make of its moment.
    for (let day = dayOf(after) - 1; day <= dayOf(until) + 1; day++) {
      const event = isLocal ? day * minutesOfDay + time : this.sunMinute(time, day);
      if (event === undefined) continue;
      const due = isLocal ? event : event + time.offset;
      if (due <= after || due > until) continue;
      const localDay = isLocal ? day : dayOf(this.localMinute(event * minute));
      if (this.isDayOf(localDay) && this.isFirst(textOf(time), day)) return true;
    }
    return false;
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
    return this.weekdays?.includes((day + 4) % 7) !== false;
  }

  /** @returns whether a time comes for the first time on a day. It counts as having come then. */
  private isFirst(time: string, day: number): boolean {
    if (this.days.get(time) === day) return false;
    this.days.set(time, day);
    return true;
  }
}
