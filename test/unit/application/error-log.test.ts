import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { OnFailure } from "../../../ts/core/noun/failure.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { openErrorLog } from "../../../ts/platform/error-log.ts";

let clock: SimulatedClock;
let lines: string[];
let report: OnFailure;

beforeEach(() => {
  clock = new SimulatedClock();
  lines = [];
  report = openErrorLog(clock, (line) => lines.push(line));
});

/** @returns what was written since the last look. */
function written(): string[] {
  return lines.splice(0);
}

test("the first failure of a noun is written at once, those of the next minute are counted", () => {
  report("pump", "Error: gone");
  expect(written()).toEqual(["pump: Error: gone"]);
  for (let second = 1; second < 60; second++) {
    clock.advance(1_000);
    report("pump", "Error: still gone");
  }
  expect(written()).toEqual([]);
  clock.advance(1_000);
  report("pump", "Error: gone for good");
  expect(written()).toEqual(["pump: Error: gone for good (and 59 more since the last line)"]);
});

test("a noun that failed once and fails again after an hour has a line each, without a count", () => {
  report("pump", "one");
  clock.advance(3_600_000);
  report("pump", "two");
  expect(written()).toEqual(["pump: one", "pump: two"]);
});

test("each noun has lines of its own", () => {
  report("pump", "one");
  report("door", "two");
  report("pump", "three");
  expect(written()).toEqual(["pump: one", "door: two"]);
});

test("names without end are not remembered without end, and the noun that was forgotten has a line again", () => {
  for (let number = 0; number <= 256; number++) report(`noun-${number}`, "failed");
  expect(written()).toHaveLength(257);
  report("noun-256", "failed");
  expect(written()).toEqual([]);
  report("noun-0", "failed");
  expect(written()).toEqual(["noun-0: failed"]);
});

test("nothing keeps the clock busy", () => {
  report("pump", "one");
  report("pump", "two");
  expect(clock.running).toBe(0);
});

test("however failures come, a noun has at most a line a minute, and a line shows or counts each failure", () => {
  const failure = fc.record({ noun: fc.constantFrom("a", "b", "c"), pause: fc.nat(50_000) });
  fc.assert(
    fc.property(fc.array(failure), (failures) => {
      const moments = new Map<string, number[]>();
      const counted = new Map<string, number>();
      const time = new SimulatedClock();
      const tell = openErrorLog(time, (line) => {
        const [noun = ""] = line.split(":");
        moments.set(noun, [...(moments.get(noun) ?? []), time.now()]);
        const more = Number(/and (\d+) more/.exec(line)?.[1] ?? 0);
        counted.set(noun, (counted.get(noun) ?? 0) + 1 + more);
      });
      for (const { noun, pause } of failures) {
        time.advance(pause);
        tell(noun, "failed");
      }
      // A minute later one more of each brings out what was not told yet.
      time.advance(60_000);
      for (const noun of moments.keys()) tell(noun, "failed");
      for (const [noun, times] of moments) {
        expect(times.every((moment, index) => index === 0 || moment - (times[index - 1] ?? 0) >= 60_000)).toBe(true);
        expect(counted.get(noun)).toBe(failures.filter((one) => one.noun === noun).length + 1);
      }
    }),
  );
});
