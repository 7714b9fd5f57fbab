import { describe, expect, it } from "vitest";
import { Attempts } from "../../../ts/parts/mqtt/attempts.js";

/** Numbers from 0 up to 1, the same in each run (a linear congruential generator, Numerical Recipes). */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Devices that lose their broker at once, and try to connect until it is back.
 * @param away s until the broker accepts connections again.
 * @returns the most attempts within a second, and the s until a share of the devices is back.
 */
function outage({ devices, spread, away }: { devices: number; spread: number; away: number }) {
  const random = randomNumbers();
  const tries: number[] = [];
  const returns: number[] = [];
  for (let count = 0; count < devices; count++) {
    const attempts = new Attempts(1, spread, random);
    let now = attempts.wait();
    for (; now < away * 1_000; now += attempts.wait()) tries.push(now);
    tries.push(now);
    returns.push(now / 1_000 - away);
  }
  tries.sort((one, other) => one - other);
  let [most, first] = [0, 0];
  for (const [index, time] of tries.entries()) {
    while ((tries[first] ?? 0) <= time - 1_000) first++;
    most = Math.max(most, index - first + 1);
  }
  returns.sort((one, other) => one - other);
  const within = (share: number): number => returns[Math.ceil(share * devices) - 1] ?? Number.NaN;
  return { most, within };
}

describe("ten thousand devices that lose their broker", () => {
  it.each([1, 3, 10, 60, 300])("try less than 1,500 times a second with a fleet's spread, for %d s", (away) => {
    const { most, within } = outage({ devices: 10_000, spread: 10_000, away });
    expect(most).toBeLessThan(1_500);
    expect(within(1)).toBeLessThanOrEqual(60);
  });

  it("are back 5 s after an outage of 3 s, most of them, with the usual spread", () => {
    expect(outage({ devices: 10_000, spread: 2_000, away: 3 }).within(0.5)).toBeLessThan(5);
  });
});

describe("a later wait", () => {
  it.each([
    [0, 1_000],
    [2_000, 1_000],
    [10_000, 5_000],
    [600_000, 60_000],
  ])("with a spread of %d ms is at least %d ms, and at most a minute", (spread, least) => {
    for (const number of [0, 0.999_999]) {
      const attempts = new Attempts(1, spread, () => number);
      attempts.wait();
      for (let count = 0; count < 20; count++) {
        const wait = attempts.wait();
        expect(wait).toBeGreaterThanOrEqual(least);
        expect(wait).toBeLessThanOrEqual(60_000);
      }
    }
  });
});
