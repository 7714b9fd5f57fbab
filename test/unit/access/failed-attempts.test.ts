import fc from "fast-check";
import { expect, test } from "vitest";
import { attemptInterval, attemptsAtOnce, FailedAttempts } from "../../../ts/core/access/failed-attempts.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";

test("so many failures are let through at once, and then one each interval", () => {
  const clock = new SimulatedClock();
  const failures = new FailedAttempts(clock);
  const fail = () => failures.add("192.0.2.7:1");
  for (let count = 0; count < attemptsAtOnce; count++) expect(fail()).toBe(0);
  expect(fail()).toBe(1);
  expect(fail()).toBe(1);
  clock.advance(attemptInterval - 1);
  expect(fail()).toBe(1);
  clock.advance(1);
  expect([fail(), fail()]).toEqual([0, 1]);
  clock.advance(attemptsAtOnce * attemptInterval);
  for (let count = 0; count < attemptsAtOnce; count++) expect(fail()).toBe(0);
  expect(fail()).toBe(1);
});

test("one client's failures are not another's", () => {
  const failures = new FailedAttempts(new SimulatedClock());
  for (let count = 0; count <= attemptsAtOnce; count++) failures.add("192.0.2.7:1");
  expect(failures.add("192.0.2.7:2")).toBeGreaterThan(0);
  expect(failures.add("192.0.2.8:1")).toBe(0);
});

test("addresses beyond those that are counted share one count, until some have been quiet", () => {
  const clock = new SimulatedClock();
  const failures = new FailedAttempts(clock);
  const fail = (address: number) => failures.add(`10.0.${address >> 8}.${address & 255}:1`);
  for (let address = 0; address < 64; address++) expect(fail(address)).toBe(0);
  for (let address = 64; address < 64 + attemptsAtOnce; address++) expect(fail(address)).toBe(0);
  expect(fail(9_999)).toBe(1);
  clock.advance(attemptInterval);
  for (let count = 0; count < attemptsAtOnce; count++) expect(fail(9_999)).toBe(0);
});

test("however many addresses there are, no more failures pass than the counts allow", () => {
  const row = fc.array(fc.tuple(fc.nat(200), fc.nat(300)), { maxLength: 800 });
  fc.assert(
    fc.property(row, (attempts) => {
      const clock = new SimulatedClock();
      const failures = new FailedAttempts(clock);
      let passed = 0;
      let elapsed = 0;
      for (const [address, pause] of attempts) {
        clock.advance(pause);
        elapsed += pause;
        if (failures.add(`10.0.0.${address}:1`) === 0) passed += 1;
      }
      expect(passed).toBeLessThanOrEqual(65 * (attemptsAtOnce + elapsed / attemptInterval));
    }),
    { numRuns: 50 },
  );
});
