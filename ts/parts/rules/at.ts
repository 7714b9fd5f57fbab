/** The times at which a rule runs: of the clock, or of the sun. */
import type { SunEvent } from "./sun.ts";

export const minutesOfDay = 1_440;

/** Minutes from an event of the sun: -60 is an hour before it. */
export interface SunTime {
  readonly sun: SunEvent;
  readonly offset: number;
}

/** Minutes since midnight, or a time of the sun. */
export type At = number | SunTime;

/** @returns hours and minutes: `06:30`. */
export function clockText(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** @returns a time of the sun as the configuration has it: `sunset+00:30`. */
export function sunText({ sun, offset }: SunTime): string {
  return offset === 0 ? sun : `${sun}${offset < 0 ? "-" : "+"}${clockText(Math.abs(offset))}`;
}
