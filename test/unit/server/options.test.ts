import { expect, test } from "vitest";
import { completeLimits, defaultLimits } from "../../../ts/server/options.ts";

test("the defaults are those of the wire contract", () => {
  expect(completeLimits({})).toEqual({
    targetBytes: 256,
    headerBytes: 4096,
    headerFields: 32,
    bodyBytes: 4096,
    statePairs: 64,
    headTime: 10_000,
    bodyTime: 10_000,
    idleTime: 60_000,
    answerTime: 10_000,
    connections: 128,
    pipeline: 16,
    operationTime: 5_000,
    busyTime: 1_000,
    memoryBytes: 33_554_432,
    closeTime: 5_000,
  });
});

test("a limit that is chosen takes the place of its default", () => {
  expect(completeLimits({ bodyBytes: 1 })).toEqual({ ...defaultLimits, bodyBytes: 1 });
});

test.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "1", null])("%j is no limit", (value) => {
  expect(() => completeLimits({ idleTime: value as number })).toThrow(RangeError);
  expect(() => completeLimits({ idleTime: value as number })).toThrow(/idleTime/);
});
