/**
 * When a time comes on a day: as minutes since 1970, UTC. A time that summer time skips comes at the change, and one
 * that it repeats comes the first time. On a polar day, times of the sun are missing.
 */
import { type ClockOrSun, minutesOfDay, timeText } from "./at.ts";
import type { WallClock } from "./schedule.ts";
import { type Location, sunMoment } from "./sun.ts";

const minute = 60_000;

/** @returns the day of a minute since 1970. */
export const dayOf = (minutes: number): number => Math.floor(minutes / minutesOfDay);

/** A moment at which a time comes. */
export interface DayTime {
  /** Minutes since 1970, UTC. */
  readonly minute: number;
  /** The local day, since 1970: that of its event, whatever an offset makes of that. */
  readonly day: number;
}

/** The moments that are kept of a few times: those of some days are asked for each minute. */
const usuallyKept = 256;

export class DayTimes {
  private readonly wall: Pick<WallClock, "offset">;
  private readonly location: Location | undefined;
  private readonly kept = new Map<string, DayTime | undefined>();

  private readonly mostKept: number;

  /** @param location undefined for a device without times of the sun. @param mostKept moments that are kept. */
  constructor(wall: Pick<WallClock, "offset">, location: Location | undefined, mostKept = usuallyKept) {
    this.mostKept = mostKept;
    this.wall = wall;
    this.location = location;
  }

  /** @returns the local minute since 1970. @param moment in ms since 1970, UTC. */
  localMinute(moment: number): number {
    return Math.floor(moment / minute) + this.wall.offset(moment);
  }

  /** @param day since 1970. @returns when a time comes; undefined if the sun is not there on that day. */
  on(day: number, time: ClockOrSun): DayTime | undefined {
    const key = `${timeText(time)} ${day}`;
    if (this.kept.has(key)) return this.kept.get(key);
    if (this.kept.size >= this.mostKept) this.kept.clear();
    const found = this.find(day, time);
    this.kept.set(key, found);
    return found;
  }

  private find(day: number, time: ClockOrSun): DayTime | undefined {
    if (typeof time === "number") return { minute: this.ofLocal(day * minutesOfDay + time), day };
    const { sun, offset, earliest = Number.NEGATIVE_INFINITY, latest = Number.POSITIVE_INFINITY } = time;
    const moment = this.location && sunMoment(sun, day, this.location);
    if (moment === undefined) return undefined;
    const event = Math.round(moment);
    const localDay = dayOf(this.localMinute(event * minute));
    const bound = (minutes: number) =>
      Number.isFinite(minutes) ? this.ofLocal(localDay * minutesOfDay + minutes) : minutes;
    return { minute: Math.min(Math.max(event + offset, bound(earliest)), bound(latest)), day: localDay };
  }

  /** @returns the first minute, UTC, in which the local clock shows a local minute or has passed it. */
  private ofLocal(local: number): number {
    const offsetAt = (minutes: number) => this.wall.offset(minutes * minute);
    let [before, after] = [local - minutesOfDay, local + minutesOfDay];
    const [first, second] = [offsetAt(before), offsetAt(after)];
    if (first === second) return local - first;
    // The change is between both.
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offsetAt(middle) === first) before = middle;
      else after = middle;
    }
    return local - first < after ? local - first : Math.max(after, local - second);
  }
}
