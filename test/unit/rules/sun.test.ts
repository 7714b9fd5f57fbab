/** Times of the sun, compared with an almanac at six places, on the hardest days of a year (almanac.py has made it). */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import type { ClockOrSun } from "../../../ts/parts/rules/at.ts";
import { Schedule } from "../../../ts/parts/rules/schedule.ts";
import { type Location, sunEvents, sunMoment } from "../../../ts/parts/rules/sun.ts";

/** By place: a day of 2026 and its seconds since midnight UTC at dawn, sunrise, sunset and dusk; null for none. */
type Almanac = {
  readonly [place: string]: Location & {
    readonly days: readonly (readonly [day: number, ...times: (number | null)[]])[];
  };
};

const almanac = JSON.parse(readFileSync(new URL("almanac.txt", import.meta.url), "utf8")) as Almanac;

/** Days since 1970 of 2026-01-01. */
const newYear = 20_454;
const minute = 60_000;

test.each(Object.entries(almanac))("%s: the sun is there within a minute of the almanac", (_, place) => {
  const wrong: string[] = [];
  for (const [index, ...row] of place.days) {
    for (const [at, expected] of row.entries()) {
      const event = sunEvents[at] ?? "dawn";
      const moment = sunMoment(event, newYear + index, place);
      const found = moment === undefined ? null : 60 * (moment - 1_440 * (newYear + index));
      const isRight = found === null || expected === null ? found === expected : Math.abs(found - expected) <= 60;
      if (!isRight) wrong.push(`day ${index}, ${event}: ${found}, the almanac has ${expected}`);
    }
  }
  expect(wrong).toEqual([]);
});

function localTimeIn(zone: string): (moment: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return (moment) => format.format(moment);
}

/** @returns the local times of the runs in some days from a moment on. */
function runs(
  zone: string,
  begin: string,
  days: number,
  at: readonly ClockOrSun[],
  location: Location,
): readonly string[] {
  const clock = new SimulatedClock();
  const ahead = Date.parse(begin);
  const localTime = localTimeIn(zone);
  const offset = (moment: number): number => {
    const local = Date.parse(`${localTime(moment).replace(" ", "T")}Z`);
    return Math.round((local - Math.floor(moment / minute) * minute) / minute);
  };
  const wall = { now: () => clock.now() + ahead, offset, isCredible: () => true, wasSet: () => undefined };
  const ran: string[] = [];
  const schedule = new Schedule({ clock, wall, location, run: () => void ran.push(localTime(wall.now())) }, { at });
  schedule.start();
  for (let passed = 0; passed < days * 1_440; passed++) clock.advance(minute);
  return ran;
}

const berlin = { latitude: 52.5, longitude: 13.4 };
const tromso = { latitude: 69.65, longitude: 18.96 };

describe("a rule runs by the sun", () => {
  test("over the beginning of summer time", () => {
    const ran = runs("Europe/Berlin", "2026-03-28T00:00:00Z", 2, [{ sun: "sunset", offset: 30 }], berlin);
    expect(ran).toEqual(["2026-03-28 19:04", "2026-03-29 20:05"]);
  });

  test("over the end of summer time", () => {
    const ran = runs("Europe/Berlin", "2026-10-24T00:00:00Z", 2, [{ sun: "sunrise", offset: 0 }], berlin);
    expect(ran).toEqual(["2026-10-24 07:48", "2026-10-25 06:50"]);
  });

  test("once in an hour that summer time repeats", () => {
    // 2026-10-25 02:00 to 03:00 comes twice.
    const ran = runs("Europe/Berlin", "2026-10-24T20:00:00Z", 1, [{ sun: "sunrise", offset: -257 }], berlin);
    expect(ran).toEqual(["2026-10-25 02:33"]);
  });

  test("on the day of its noon, where its local day is another one in UTC", () => {
    const auckland = { latitude: -36.85, longitude: 174.76 };
    const ran = runs("Pacific/Auckland", "2026-11-22T12:00:00Z", 2, [{ sun: "sunrise", offset: 0 }], auckland);
    expect(ran).toEqual(["2026-11-23 05:58", "2026-11-24 05:58"]);
  });

  test("not on polar days and in polar nights", () => {
    const at: readonly ClockOrSun[] = [
      { sun: "sunrise", offset: 0 },
      { sun: "dawn", offset: 0 },
    ];
    expect(runs("Europe/Oslo", "2026-06-20T00:00:00Z", 2, at, tromso)).toEqual([]);
    // The sun does not rise, but there is twilight.
    expect(runs("Europe/Oslo", "2026-12-20T00:00:00Z", 2, at, tromso)).toHaveLength(2);
  });

  test("at times of the clock, too", () => {
    const at: readonly ClockOrSun[] = [22 * 60, { sun: "dusk", offset: -60 }];
    expect(runs("Europe/Berlin", "2026-06-20T00:00:00Z", 1, at, berlin)).toEqual([
      "2026-06-20 21:23",
      "2026-06-20 22:00",
    ]);
  });
});
