/** Where a cover is after its motor has run for a while, and how long it must run to a place. Pure computation. */
import type { Milliseconds } from "../../native/units.ts";

/** The way from the present position to another one. */
export type Direction = "open" | "close";

export const directions = ["open", "close"] as const;

export const opposite: { readonly [direction in Direction]: Direction } = { open: "close", close: "open" };

/** The position at the end of each direction, and the tilt of the slats after a long run there. */
export const endOf = { open: 100, close: 0 } as const;

/** Where a cover is: 0 to 100; undefined where nobody knows. */
export interface Place {
  readonly position: number | undefined;
  /** Of the slats; undefined without slats, too. */
  readonly tilt: number | undefined;
}

/** How a cover moves. */
export interface TravelTimes {
  readonly openTime: Milliseconds;
  readonly closeTime: Milliseconds;
  /** From the output to the motor. */
  readonly startDelay: Milliseconds;
  /** From slats that are closed to open ones; 0 without slats. A motor turns them before it moves the cover. */
  readonly tiltTime: Milliseconds;
}

/** @returns a value that has come nearer to an end, by so many percent. */
function moved(value: number, end: number, way: number): number {
  return end === 0 ? Math.max(0, value - way) : Math.min(100, value + way);
}

function timeOf(direction: Direction, { openTime, closeTime }: TravelTimes): Milliseconds {
  return direction === "open" ? openTime : closeTime;
}

/** @returns ms in which a motor only turns the slats. */
function turningTime({ tilt }: Place, end: number, { tiltTime }: TravelTimes): Milliseconds {
  return (tiltTime * Math.abs(end - (tilt ?? 100 - end))) / 100;
}

/** @param ms for which the output was active. @returns where a cover is that was at a place before. */
export function travelled(from: Place, direction: Direction, ms: Milliseconds, times: TravelTimes): Place {
  const end = endOf[direction];
  const { position, tilt } = from;
  const ran = Math.max(0, ms - times.startDelay);
  const turning = turningTime(from, end, times);
  const way = (100 * Math.max(0, ran - turning)) / timeOf(direction, times);
  const isTurned = ran >= turning;
  const turned = times.tiltTime === 0 ? 0 : (100 * ran) / times.tiltTime;
  return {
    position: position === undefined ? undefined : moved(position, end, way),
    tilt: times.tiltTime === 0 ? undefined : isTurned ? end : tilt === undefined ? undefined : moved(tilt, end, turned),
  };
}

/** @returns ms until a cover is at a position; the longest possible if nobody knows where it is. */
export function timeToPosition(from: Place, direction: Direction, to: number, times: TravelTimes): Milliseconds {
  const end = endOf[direction];
  const way = Math.abs(to - (from.position ?? 100 - end));
  return times.startDelay + turningTime(from, end, times) + (timeOf(direction, times) * way) / 100;
}

/** @returns ms until the slats have a tilt. */
export function timeToTilt(from: Place, direction: Direction, to: number, times: TravelTimes): Milliseconds {
  const way = Math.abs(to - (from.tilt ?? 100 - endOf[direction]));
  return times.startDelay + (times.tiltTime * way) / 100;
}
