import { expect, test } from "vitest";
import { median, medianRatio } from "../../bench/statistics.ts";

test("the median is the middle value, whatever the order", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([7])).toBe(7);
});

test("the median of an even number of values lies between both middle ones", () => {
  expect(median([10, 1, 4, 2])).toBe(3);
});

test("the median orders by number, not by text", () => {
  expect(median([100, 20, 3])).toBe(20);
});

test("no values have no median", () => {
  expect(() => median([])).toThrow(RangeError);
});

test("a round that is slow for both sides does not change their ratio", () => {
  expect(medianRatio([10, 50, 10], [20, 100, 20])).toBe(0.5);
});

test("one round that is slow for one side does not decide", () => {
  expect(medianRatio([10, 90, 10], [20, 20, 20])).toBe(0.5);
});

test("series of different lengths cannot be compared", () => {
  expect(() => medianRatio([1, 2], [1])).toThrow(RangeError);
});
