import { describe, expect, test } from "vitest";
import { RefusedTokens } from "../../../ts/core/access/refused-tokens.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";

const minute = 60_000;

/** What was told, each with its moment. */
function refusing() {
  const clock = new SimulatedClock();
  const told: { readonly at: number; readonly count: number; readonly from: string }[] = [];
  const refused = new RefusedTokens(clock, (count, from) => told.push({ at: clock.now(), count, from }));
  return { clock, told, refused };
}

test("the first is told at once, and those of the next minute after it, with their address", () => {
  const { clock, told, refused } = refusing();
  refused.add("192.0.2.7:51234");
  const begin = clock.now();
  expect(told).toEqual([{ at: begin, count: 1, from: "192.0.2.7" }]);
  refused.add("192.0.2.8:1");
  refused.add("192.0.2.8:2");
  clock.advance(minute - 1);
  expect(told).toHaveLength(1);
  clock.advance(1);
  expect(told.slice(1)).toEqual([{ at: begin + minute, count: 2, from: "192.0.2.8" }]);
});

test("after a minute without any, nothing is told and no timer is left; the next is told at once again", () => {
  const { clock, told, refused } = refusing();
  refused.add("[2001:db8::7]:51234");
  clock.advance(minute);
  refused.add("unix");
  expect(told.map(({ count, from }) => `${count} ${from}`)).toEqual(["1 2001:db8::7", "1 unix"]);
});

test("at the end, the rest is told", () => {
  const { clock, told, refused } = refusing();
  for (let count = 0; count < 5; count++) refused.add("192.0.2.7:1");
  refused.end();
  expect(told.map(({ count }) => count)).toEqual([1, 4]);
  clock.advance(10 * minute);
  expect(told).toHaveLength(2);
});

describe.each([
  [1, "198.51.0.0"],
  [2, "198.51.0.0 and 1 other address"],
  [3, "198.51.0.0 and 2 other addresses"],
  [500, "198.51.0.0 and 63 or more other addresses"],
])("10,000 wrong tokens from %d addresses in 20 minutes", (addresses, from) => {
  const { clock, told, refused } = refusing();
  const begin = clock.now();
  for (let sent = 0; sent < 10_000; sent++) {
    const one = (sent + addresses - 1) % addresses;
    refused.add(`198.51.${Math.floor(one / 256)}.${one % 256}:${1_024 + sent}`);
    clock.advance(120);
  }
  clock.advance(minute);

  test("are told at most once a minute", () => {
    const gaps = told.slice(1).map(({ at }, index) => at - (told[index]?.at ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(minute);
    expect(told.length).toBeLessThanOrEqual(Math.ceil((clock.now() - begin) / minute) + 1);
  });

  test("are all counted, with the number of their addresses", () => {
    expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
    expect(addresses < 3 || told.slice(2).every((one) => one.from.includes(from.replace("198.51.0.0 ", "")))).toBe(
      true,
    );
  });
});
