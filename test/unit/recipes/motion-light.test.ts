/**
 * The motion light at night as a whole configuration: a schedule and a rule that take their times from a noun. It
 * starts at any moment of a year, changes of summer time included, loses its power and its clock, and is moved by
 * people; the level of the night, and the light, are those of a watcher who knows the time and has seen everything.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, test, vi } from "vitest";
import { parseJson } from "../../../ts/settings/json.ts";
import { aheadInBerlin, PlayedDevice, type Step } from "./device.ts";

const file = "../../../examples/recipes/motion-light-at-night-between-times-that-people-set.json";
const configuration = parseJson(readFileSync(new URL(file, import.meta.url), "utf8"));

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** ms in which what has changed reaches the light, as seen from outside. */
const moment = 2 * second;

/** A moment that the program's clock admits. Earlier ones are of a clock that nobody has set. */
const year = Date.parse("2026-01-02T00:00Z");

const text = (time: number): string =>
  `${String(Math.floor(time / 60)).padStart(2, "0")}:${String(time % 60).padStart(2, "0")}`;

/** Somebody who has a watch, and follows what people and the power do. Between two looks, at most a minute passes. */
class Watcher {
  begin = 22 * 60;
  end = 6 * 60 + 30;
  isEnabled = true;
  stay = 3 * minute;
  motion = 0;
  light = 0;
  isClockRight = true;
  /** When the night, or the light, changed last. */
  changed = 0;
  private isBetween = false;
  /** Whether it was known to be dark enough without light; undefined before the first look. */
  private isDark: boolean | undefined;
  /** How long it has been so, in ms; undefined once the light has followed. */
  private passed: number | undefined;
  private now: number;

  constructor(now: number) {
    this.now = now;
    this.lookBack();
  }

  get night(): boolean | null {
    return this.isClockRight ? this.isBetween && this.isEnabled : null;
  }

  /** Time passes. Each minute of local time comes once; one that summer time skips comes at the change. */
  passTo(until: number): void {
    while (this.now < until) {
      const next = Math.min(until, (Math.floor(this.now / minute) + 1) * minute);
      const { left } = this;
      if (left < next - this.now) {
        this.now += Math.max(0, left);
        this.turnOff();
        continue;
      }
      if (this.passed !== undefined && this.isKnown) this.passed += next - this.now;
      this.now = next;
      if (next % minute === 0) this.takeMinute(next);
      this.look();
    }
  }

  /** Whether the night or the light may change within a moment, so that two things would happen at once. */
  get isAboutToChange(): boolean {
    return this.left < moment || this.now % minute > minute - moment;
  }

  /** The level is what it has come to be by the times that are set now. */
  lookBack(): void {
    const last = Math.floor(this.now / minute) * minute;
    this.isBetween = false;
    for (let at = last - 2 * day; at <= last; at += minute) this.takeMinute(at);
    this.changed = this.now;
  }

  /** The power is back: the light is off, and what is seen first counts as a start. */
  restart(): void {
    this.light = 0;
    this.isDark = undefined;
    this.passed = undefined;
    this.lookBack();
    this.look();
  }

  /** Somebody, or something, has changed. */
  look(): void {
    if (!this.isKnown) return;
    const isDark = this.motion === 0 || this.night === false;
    if (isDark === this.isDark) return;
    this.isDark = isDark;
    this.passed = isDark ? 0 : undefined;
    if (isDark) return;
    this.light = 1;
    this.changed = this.now;
  }

  /** ms until the light goes off; no time passes while nobody knows whether it is night. */
  private get left(): number {
    return this.passed === undefined || !this.isKnown ? Number.POSITIVE_INFINITY : this.stay - this.passed;
  }

  private get isKnown(): boolean {
    return this.motion === 0 || this.night !== null;
  }

  private turnOff(): void {
    this.passed = undefined;
    this.light = 0;
    this.changed = this.now;
  }

  private takeMinute(now: number): void {
    const local = (at: number) => at / minute + aheadInBerlin(at);
    let latest = local(now - minute);
    // After the end of summer time, the hour that comes again has passed already.
    for (let back = 2; back <= 62; back++) latest = Math.max(latest, local(now - back * minute));
    for (let passed = latest + 1; passed <= local(now); passed++) {
      const before = this.isBetween;
      if (passed % 1_440 === this.end) this.isBetween = false;
      if (passed % 1_440 === this.begin) this.isBetween = true;
      if (this.isBetween !== before) this.changed = now;
    }
  }
}

type Happening =
  | { readonly what: "wait"; readonly ms: number }
  | { readonly what: "motion"; readonly level: 0 | 1 }
  | { readonly what: "begin" | "end" | "stay"; readonly value: number }
  | { readonly what: "enabled"; readonly isEnabled: boolean }
  | { readonly what: "hand"; readonly level: 0 | 1 }
  | { readonly what: "cut"; readonly ms: number; readonly late: number }
  | { readonly what: "clock set" };

/** Minutes of a day, often those around the changes of summer time. */
const time = fc.oneof(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 100, max: 200 }));
const level = fc.constantFrom<0 | 1>(0, 1);
const what = <const Word extends Happening["what"]>(word: Word) => fc.constant(word);

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ what: what("wait"), ms: fc.integer({ min: 1, max: 5 * 3_600 }).map((s) => s * second) }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ what: what("wait"), ms: fc.integer({ min: 1, max: 600 }).map((s) => s * second) }),
  },
  { weight: 8, arbitrary: fc.record({ what: what("motion"), level }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom("begin" as const, "end" as const), value: time }) },
  { weight: 4, arbitrary: fc.record({ what: what("stay"), value: fc.integer({ min: 0, max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ what: what("enabled"), isEnabled: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ what: what("hand"), level }) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: what("cut"),
      ms: fc.integer({ min: 1, max: 10 * 3_600 }).map((s) => s * second),
      // In whole minutes, so that the look after the clock is set is at a minute of the watcher.
      late: fc.oneof(
        { weight: 2, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }).map((days) => days * day) },
        { weight: 1, arbitrary: fc.integer({ min: 400 * 24, max: 20_000 * 24 }).map((hours) => hours * hour) },
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ what: what("clock set") }) },
);

const start = fc.oneof(
  fc.integer({ min: year, max: year + 360 * day }),
  ...["2026-03-28T12:00Z", "2026-10-24T12:00Z"].map((noon) => fc.nat(18 * hour).map((ms) => Date.parse(noon) + ms)),
);

class Run {
  private readonly device: PlayedDevice;
  private readonly watcher: Watcher;

  constructor(begin: number) {
    this.device = new PlayedDevice(configuration, begin, {});
    this.watcher = new Watcher(begin);
  }

  async begin(): Promise<void> {
    this.watcher.restart();
    await this.device.start();
    await this.judge();
  }

  async take(one: Happening): Promise<void> {
    const { device, watcher } = this;
    await this.rest();
    switch (one.what) {
      case "wait":
        await device.play(["wait", one.ms]);
        break;
      case "motion":
        watcher.motion = one.level;
        watcher.look();
        await device.play(["line", "GPIO22", one.level]);
        break;
      case "begin":
        watcher.begin = one.value;
        await this.set(["POST", "wish", { time: text(one.value) }]);
        break;
      case "end":
        watcher.end = one.value;
        await this.set(["POST", "night", { to: text(one.value) }]);
        break;
      case "enabled":
        watcher.isEnabled = one.isEnabled;
        await this.set(["POST", "night", { enabled: one.isEnabled }]);
        break;
      case "stay":
        watcher.stay = one.value * minute;
        await device.play(["POST", "wish", { minutes: one.value }]);
        break;
      case "hand":
        watcher.light = one.level;
        await device.play(["PUT", "light", { on: one.level }]);
        break;
      case "cut": {
        watcher.passTo(device.now + one.ms);
        watcher.isClockRight = one.late === 0;
        watcher.restart();
        await device.play(["power cut", one.ms, one.late]);
        break;
      }
      case "clock set":
        await device.play(["clock set"]);
        await device.play(["wait", minute - (device.now % minute)]);
        watcher.passTo(device.now - 1);
        watcher.isClockRight = true;
        watcher.passTo(device.now);
        await device.play(["wait", moment]);
    }
    await this.judge();
  }

  private async set(step: Step): Promise<void> {
    this.watcher.lookBack();
    this.watcher.look();
    await this.device.play(step);
  }

  /** Waits until nothing is on its way to the light. */
  private async rest(): Promise<void> {
    const { device, watcher } = this;
    watcher.passTo(device.now);
    while (watcher.isAboutToChange || watcher.changed > device.now - moment) {
      await device.play(["wait", 2 * moment]);
      watcher.passTo(device.now);
    }
  }

  private async judge(): Promise<void> {
    const { device, watcher } = this;
    await this.rest();
    const { begin, end, isEnabled, stay, night, light } = watcher;
    await device.play(["is", "wish", { time: text(begin), minutes: stay / minute }]);
    await device.play(["is", "night", { active: night, enabled: isEnabled, from: text(begin), to: text(end) }]);
    await device.play(["is", "light", { on: light }]);
  }
}

afterEach(() => void vi.restoreAllMocks());

/** A thousand starts in `npm run test:orders`. */
const starts = Number(process.env["NOUND_ORDERS"] ?? 2_000) / 20;
const given = process.env["NOUND_SEED"];

test("the light is right after any start in a year, whatever happens then", async () => {
  // A clock that is behind is logged.
  vi.spyOn(console, "error").mockImplementation(() => {});
  await fc.assert(
    fc.asyncProperty(start, fc.array(happening, { maxLength: 25 }), async (begin, happenings) => {
      const run = new Run(begin);
      await run.begin();
      for (const one of happenings) await run.take(one);
    }),
    { numRuns: starts, endOnFailure: true, ...(given !== undefined && { seed: Number(given) }) },
  );
}, 3_600_000);
