/** Times of day in three zones, over both changes of summer time and over jumps of the clock. */
import { describe, expect, test } from "vitest";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { Schedule } from "../../../ts/parts/rules/schedule.ts";

const [minute, hour] = [60_000, 3_600_000];

/** @returns what formats a moment as local time: `2026-03-29 01:59`. */
function localTimeIn(zone: string): (moment: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return (moment) => format.format(moment);
}

class Bench {
  readonly clock = new SimulatedClock();
  readonly ran: string[] = [];
  readonly schedule: Schedule;
  /** ms that the clock on the wall is ahead of the other one. */
  private ahead: number;
  /** The last moment that the device has seen, in ms since 1970. */
  latest = 0;

  constructor(zone: string, begin: string, options: ConstructorParameters<typeof Schedule>[1]) {
    this.ahead = Date.parse(begin) - this.clock.now();
    const localTime = localTimeIn(zone);
    const offset = (moment: number): number => {
      const local = Date.parse(`${localTime(moment).replace(" ", "T")}Z`);
      return Math.round((local - Math.floor(moment / minute) * minute) / minute);
    };
    const now = () => this.clock.now() + this.ahead;
    const isCredible = (shown: number) => shown >= this.latest;
    const wasSet = () => {
      this.latest = Math.min(this.latest, now());
    };
    const wall = { now, offset, isCredible, wasSet };
    const run = () => void this.ran.push(localTime(wall.now()));
    this.schedule = new Schedule({ clock: this.clock, wall, run }, options);
    this.schedule.start();
  }

  pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += minute) this.clock.advance(Math.min(minute, ms - passed));
  }

  jump(ms: number): void {
    this.ahead += ms;
  }
}

const evening = { at: [22 * 60] };
const monday = "2026-11-23T12:00:20Z";

test("nothing runs by a clock that shows a moment before the last one seen, until that has come again", () => {
  const bench = new Bench("Europe/Berlin", monday, evening);
  bench.latest = Date.parse("2026-11-24T12:00:00Z");
  bench.pass(48 * hour);
  expect(bench.ran).toEqual(["2026-11-24 22:00"]);
});

test("whoever sets the clock ends that, because the clock is right then", () => {
  const bench = new Bench("Europe/Berlin", monday, evening);
  bench.latest = Date.parse("2027-11-24T12:00:00Z");
  bench.pass(24 * hour);
  bench.jump(hour);
  bench.pass(24 * hour);
  expect(bench.ran).toEqual(["2026-11-24 22:00"]);
});

test("a time comes once a day, at its minute", () => {
  const bench = new Bench("Europe/Berlin", monday, evening);
  bench.pass(48 * hour);
  expect(bench.ran).toEqual(["2026-11-23 22:00", "2026-11-24 22:00"]);
});

test("only the given days count, by local time", () => {
  // It is Monday morning in Auckland while it is Sunday in UTC.
  const bench = new Bench("Pacific/Auckland", "2026-11-22T12:00:00Z", { at: [1 * 60 + 30], days: [1, 3] });
  bench.pass(72 * hour);
  expect(bench.ran).toEqual(["2026-11-23 01:30", "2026-11-25 01:30"]);
});

describe.each([
  // zone, the day before the change to summer time (UTC), a skipped time, when it comes; the same of the other change
  ["Europe/Berlin", "2026-03-28T22:00Z", 150, "2026-03-29 03:00", "2026-10-24T22:00Z", 150, "2026-10-25 02:30"],
  ["America/New_York", "2026-03-08T05:00Z", 150, "2026-03-08 03:00", "2026-11-01T04:00Z", 90, "2026-11-01 01:30"],
  ["Australia/Lord_Howe", "2026-10-03T13:00Z", 135, "2026-10-04 02:30", "2026-04-04T13:00Z", 105, "2026-04-05 01:45"],
] as const)("in %s", (zone, spring, skipped, change, autumn, repeated, first) => {
  test("a time that summer time skips comes at the change", () => {
    const bench = new Bench(zone, spring, { at: [skipped] });
    bench.pass(12 * hour);
    expect(bench.ran).toEqual([change]);
  });

  test("a time that the end of summer time repeats comes once", () => {
    const bench = new Bench(zone, autumn, { at: [repeated] });
    bench.pass(12 * hour);
    expect(bench.ran).toEqual([first]);
  });
});

test("nothing comes before the clock is set, and nothing is made up for when it is", () => {
  const bench = new Bench("Europe/Berlin", "1970-01-01T20:30:00Z", evening);
  bench.pass(2 * hour);
  bench.jump(Date.parse("2026-11-23T21:30:00Z") - Date.parse("1970-01-01T22:30:00Z"));
  bench.pass(24 * hour);
  expect(bench.ran).toEqual(["2026-11-24 22:00"]);
});

test("after the clock was set back by a day, the time comes again on that day", () => {
  const bench = new Bench("UTC", "2026-11-23T21:30:00Z", evening);
  bench.pass(1 * hour);
  bench.jump(-24 * hour);
  bench.pass(24 * hour);
  expect(bench.ran).toEqual(["2026-11-23 22:00"]);
  bench.pass(24 * hour);
  expect(bench.ran).toEqual(["2026-11-23 22:00", "2026-11-24 22:00"]);
});

test("a loop that stands still over the time is late and misses nothing", () => {
  const bench = new Bench("UTC", "2026-11-23T21:59:30Z", evening);
  bench.clock.advance(10 * minute);
  expect(bench.ran).toHaveLength(1);
});

test("nothing comes after the end", () => {
  const bench = new Bench("UTC", "2026-11-23T21:30:00Z", evening);
  bench.schedule.stop();
  bench.pass(1 * hour);
  expect([bench.ran, bench.clock.running]).toEqual([[], 0]);
});
