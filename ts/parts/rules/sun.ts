/**
 * When the sun rises and sets, within seconds of an almanac. The positions follow Meeus, Astronomical Algorithms (2nd
 * edition, chapters 22, 25 and 28), as the solar calculator of NOAA does. Moments are in minutes since 1970, UTC.
 */

import { minutesOfDay } from "./at.ts";

/** Where the device is, in degrees; north and east are positive. */
export interface Location {
  readonly latitude: number;
  readonly longitude: number;
}

/** What the sun does: it crosses the horizon, or 6 degrees below it (civil twilight). */
export type SunEvent = "dawn" | "sunrise" | "sunset" | "dusk";

export const sunEvents: readonly SunEvent[] = ["dawn", "sunrise", "sunset", "dusk"];

const radian = Math.PI / 180;

/** Degrees of the sun's centre above the horizon. The air lifts the sun by 34 minutes of arc; its radius has 16. */
const altitudes: { readonly [event in SunEvent]: number } = { dawn: -6, sunrise: -50 / 60, sunset: -50 / 60, dusk: -6 };

const sin = (degrees: number): number => Math.sin(degrees * radian);
const cos = (degrees: number): number => Math.cos(degrees * radian);

/** @returns the sun's declination in degrees, and minutes by which a sundial is ahead of the clock. */
function positionAt(moment: number): { readonly declination: number; readonly equation: number } {
  // Centuries since the epoch J2000, which is 2000-01-01 12:00. A minute of difference between clocks moves nothing.
  const time = (moment / minutesOfDay - 10_957.5) / 36_525;
  const meanLongitude = 280.46646 + time * (36_000.76983 + 0.0003032 * time);
  const anomaly = 357.52911 + time * (35_999.05029 - 0.0001537 * time);
  const eccentricity = 0.016708634 - time * (0.000042037 + 0.0000001267 * time);
  const centre =
    sin(anomaly) * (1.914602 - time * (0.004817 + 0.000014 * time)) +
    sin(2 * anomaly) * (0.019993 - 0.000101 * time) +
    sin(3 * anomaly) * 0.000289;
  const node = 125.04 - 1_934.136 * time;
  const longitude = meanLongitude + centre - 0.00569 - 0.00478 * sin(node);
  const obliquity = 23.4392911 - time * (0.0130042 + time * (0.00000016 - 0.000000504 * time)) + 0.00256 * cos(node);
  const half = Math.tan((obliquity / 2) * radian) ** 2;
  const equation =
    half * sin(2 * meanLongitude) -
    2 * eccentricity * sin(anomaly) +
    4 * eccentricity * half * sin(anomaly) * cos(2 * meanLongitude) -
    0.5 * half * half * sin(4 * meanLongitude) -
    1.25 * eccentricity * eccentricity * sin(2 * anomaly);
  return {
    declination: Math.asin(sin(obliquity) * sin(longitude)) / radian,
    equation: (4 * equation) / radian,
  };
}

/** @returns degrees of the sun's centre above the horizon, without the air. */
function altitudeAt(moment: number, { latitude, longitude }: Location): number {
  const { declination, equation } = positionAt(moment);
  const hourAngle = (moment + equation) / 4 + longitude - 180;
  const height = sin(latitude) * sin(declination) + cos(latitude) * cos(declination) * cos(hourAngle);
  return Math.asin(Math.max(-1, Math.min(1, height))) / radian;
}

/** Steps of halving half a day, to less than a second. */
const steps = 16;

/**
 * @param day days since 1970: that of the noon at the device which is nearest to noon in UTC by the clock of its
 *   longitude.
 * @returns the moment; undefined on a polar day or night.
 */
export function sunMoment(event: SunEvent, day: number, location: Location): number | undefined {
  const midday = day * minutesOfDay + minutesOfDay / 2 - 4 * location.longitude;
  const noon = midday - positionAt(midday).equation;
  const altitude = altitudes[event];
  let high = noon;
  let low = noon + (event === "dawn" || event === "sunrise" ? -1 : 1) * (minutesOfDay / 2);
  if (altitudeAt(high, location) < altitude || altitudeAt(low, location) > altitude) return undefined;
  for (let step = 0; step < steps; step++) {
    const middle = (high + low) / 2;
    if (altitudeAt(middle, location) > altitude) high = middle;
    else low = middle;
  }
  return (high + low) / 2;
}
