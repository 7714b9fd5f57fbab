/** Schedules: the level of any moment in a year, whenever nound starts and whatever happens to the clock. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { leave, takeOver } from "../../../ts/core/noun/left-state.ts";
import { mentioned } from "../../../ts/core/noun/noun-traits.ts";
import { checkState, partialShape } from "../../../ts/core/noun/shape.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import type { Days } from "../../../ts/parts/rules/days.ts";
import type { ScheduleOptions } from "../../../ts/parts/rules/rule.ts";
import type { ScheduleNoun } from "../../../ts/parts/rules/schedule-noun.ts";
import { RuledDevice, TestNoun } from "./device.ts";

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** @returns the local time of a moment as if it were UTC, in minutes since 1970. */
function localIn(zone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return (moment) => Date.parse(`${format.format(moment).replace(" ", "T")}Z`) / minute;
}

interface Bench {
  readonly device: RuledDevice;
  readonly noun: ScheduleNoun;
  now(): State;
}

function bench(options: ScheduleOptions, begin: number, zone = "Europe/Berlin", nouns = {}): Bench {
  const device = new RuledDevice(nouns, {}, new SimulatedClock());
  const local = localIn(zone);
  device.ahead = begin - device.clock.now();
  device.zone = (moment) => local(moment) - Math.floor(moment / minute);
  const noun = device.rules.addSchedule("evening", options);
  device.server.register("evening", noun);
  device.start();
  return { device, noun, now: () => noun.getState() };
}

/** The level, told minute by minute by somebody who has watched the clock on the wall all the time. */
function watched(from: number, to: number, days: (day: number) => boolean, zone: string, begin: number, end: number) {
  const local = localIn(zone);
  const levels: boolean[] = [];
  let isActive = false;
  let [lastBegin, last] = [-1, local(begin - minute)];
  let latest = last;
  for (let moment = begin; moment < end; moment += minute) {
    const now = local(moment);
    // Each local minute comes once; one that is skipped comes at the change.
    for (let passed = latest + 1; passed <= now; passed++) {
      const [today, time] = [Math.floor(passed / 1_440), ((passed % 1_440) + 1_440) % 1_440];
      if (time === to) isActive = false;
      if (time === from && days(today) && lastBegin !== today) {
        isActive = true;
        lastBegin = today;
      }
    }
    latest = Math.max(latest, now);
    last = now;
    levels.push(isActive);
  }
  expect(last).toBeGreaterThan(0);
  return levels;
}

const weekend: Days = [0, 6];

describe.each([
  ["Europe/Berlin", 18 * 60, 23 * 60, undefined],
  ["Europe/Berlin", 22 * 60, 6 * 60, undefined],
  ["Europe/Berlin", 150, 165, undefined],
  ["Europe/Berlin", 90, 150, weekend],
  ["America/New_York", 23 * 60 + 30, 150, weekend],
  ["Australia/Lord_Howe", 105, 135, undefined],
  ["America/Sao_Paulo", 0, 30, undefined],
] as const)("in %s from %i to %i", (zone, from, to, days) => {
  test("each start in a year, by day and over both changes of summer time, shows what a watcher knows", () => {
    const [begin, end] = [Date.parse("2026-01-01T00:00Z"), Date.parse("2027-01-02T00:00Z")];
    const isDay = (one: number) => days === undefined || (days as readonly number[]).includes((one + 4) % 7);
    const levels = watched(from, to, isDay, zone, begin, end);
    const { device, noun } = bench({ from, to, days }, begin + 2 * day, zone);
    const wrong: string[] = [];
    // The minutes around each change, and random ones of the year.
    const changes = levels.flatMap((level, index) =>
      index > 3_000 && level !== levels[index - 1] ? [index - 1, index] : [],
    );
    const random = fc.sample(fc.integer({ min: 3_000, max: levels.length - 1 }), { numRuns: 1_000, seed: 7 });
    for (const index of [...changes, ...random]) {
      device.ahead = begin + index * minute + 20_000 - device.clock.now();
      const { active } = noun.getState();
      if (active !== levels[index]) wrong.push(`${new Date(begin + index * minute).toISOString()}: ${active}`);
    }
    expect(wrong).toEqual([]);
  });
});

const evening: ScheduleOptions = { from: 18 * 60, to: 23 * 60 };

test("nobody knows the level before the clock is set; then it is right at the next look", () => {
  const { device, noun, now } = bench(evening, Date.parse("1970-01-01T00:10:00Z"));
  let told = 0;
  noun.watch(() => {
    told += 1;
  });
  expect(now()).toEqual({ active: null, enabled: true, from: "18:00", to: "23:00" });
  device.ahead = Date.parse("2026-11-28T19:30:10Z") - device.clock.now();
  device.clock.advance(minute);
  expect([now()["active"], told]).toEqual([true, 1]);
});

test("a change of the level is told at its minute, also after a jump", () => {
  const { device, noun, now } = bench(evening, Date.parse("2026-11-28T16:58:30Z"));
  const told: State[] = [];
  noun.watch(() => void told.push({ active: now()["active"] ?? null }));
  for (let passed = 0; passed < 3; passed++) device.clock.advance(minute);
  device.ahead += 5 * hour;
  device.clock.advance(minute);
  expect(told).toEqual([{ active: true }, { active: false }]);
});

test("PUT and POST set the times, DELETE returns to the configuration", () => {
  const { device, noun, now } = bench(evening, Date.parse("2026-11-28T16:30:00Z"));
  expect(device.ask("POST", "evening", { from: "17:00" })).toEqual({
    active: true,
    enabled: true,
    from: "17:00",
    to: "23:00",
  });
  expect(device.ask("POST", "evening", { enabled: false })).toMatchObject({ active: false, from: "17:00" });
  for (const state of [{ from: "25:00" }, { active: true }, { to: "sunset+1" }]) {
    expect(() => checkState(partialShape(noun.shape), state)).toThrow();
  }
  expect(device.ask("PUT", "evening", { enabled: true, from: "sunset", to: "23:00" })).toBe(422);
  device.ask("DELETE", "evening");
  expect(now()).toEqual({ active: false, enabled: true, from: "18:00", to: "23:00" });
});

test("a time may be what a noun has, and is unknown while that is", () => {
  const wish = new TestNoun({ time: "17:00" }, { time: { type: "string", format: "time" } });
  const { device, noun, now } = bench(
    { ...evening, from: "$wish.time" },
    Date.parse("2026-11-28T16:30:00Z"),
    "Europe/Berlin",
    { wish },
  );
  device.clock.advance(200);
  expect(now()).toEqual({ active: true, enabled: true, from: "17:00", to: "23:00" });
  wish.become({ time: "18:00" });
  device.clock.advance(200);
  expect(now()["active"]).toBe(false);
  expect(() => checkState(partialShape(noun.shape), { from: "17:00" })).toThrow("read-only");
  expect(device.ask("PUT", "evening", { enabled: true, to: "23:30" })).toMatchObject({ from: "18:00", to: "23:30" });
  wish.fail();
  device.clock.advance(200);
  expect(now()).toEqual({ active: null, enabled: true, from: null, to: "23:30" });
});

test("what was set survives a reload, unless the configuration has changed", () => {
  const { device, noun } = bench(evening, Date.parse("2026-11-28T16:30:00Z"));
  device.ask("POST", "evening", { to: "22:00", enabled: false });
  const left = JSON.parse(JSON.stringify(noun[leave]())) as State;
  const next = bench(evening, Date.parse("2026-11-28T16:30:00Z")).noun;
  next[takeOver](left);
  expect(next.getState()).toMatchObject({ enabled: false, to: "22:00" });
  const other = bench({ ...evening, to: 21 * 60 }, Date.parse("2026-11-28T16:30:00Z")).noun;
  other[takeOver](left);
  expect(other.getState()).toMatchObject({ enabled: true, to: "21:00" });
});

test("a schedule by the sun needs a place, and is missing on a polar day", () => {
  const { device } = bench({ from: { sun: "sunset", offset: 0 }, to: 23 * 60 }, Date.parse("2026-11-28T16:30:00Z"));
  expect(device.mistakes).toEqual([
    'evening.from: expected "location" beside "nouns": only that tells when the sun rises and sets',
  ]);
});

test("a reference that is no time of day is a mistake", () => {
  const wish = new TestNoun({ n: 1 }, { n: { type: "number" } });
  const { device } = bench({ ...evening, to: "$wish.n" }, Date.parse("2026-11-28T16:30:00Z"), "UTC", { wish });
  expect(device.mistakes).toEqual([
    'evening.to: expected a time of day, a key of the type "time", but the key "n" of wish takes a number',
  ]);
});

test("its description has its times, and its days, unless it has another", () => {
  const begin = Date.parse("2026-11-28T12:00:00Z");
  const { noun, device } = bench({ from: 18 * 60, to: { sun: "sunrise", offset: 30 }, days: [6, 0] }, begin);
  expect(noun.description).toBe("From 18:00 to 30 min after sunrise (not today) on Sat, Sun.");
  device.ask("POST", "evening", { to: "23:00" });
  expect(noun.description).toBe("From 18:00 to 23:00 on Sat, Sun.");
  noun.description = "While we are away.";
  expect(noun.description).toBe("While we are away.");
  const knob = new TestNoun({ from: "17:00" });
  const { noun: following } = bench({ from: "$knob.from", to: 23 * 60 }, begin, "Europe/Berlin", { knob });
  // Only who may read the knob is told of it.
  expect([following.description, following[mentioned]]).toEqual(["From Knob from to 23:00.", ["knob"]]);
});
