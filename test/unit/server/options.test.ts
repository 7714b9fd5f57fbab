import { expect, test } from "vitest";
import { completeLimits, completeServerLimits, defaultLimits } from "../../../ts/core/server/options.ts";

test("the defaults are those of the wire contract", () => {
  expect(completeLimits({}, defaultLimits)).toEqual({
    targetBytes: 256,
    headerBytes: 4096,
    headerFields: 32,
    bodyBytes: 4096,
    statePairs: 64,
    stateBytes: 16_384,
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
    keepAliveTimeout: 60_000,
    sendTimeout: 10_000,
    maxConnections: 128,
    tlsConnections: 32,
    nounTimeout: 5_000,
    maxQueued: 64,
    maxStreams: 32,
    maxEventsPerSecond: 50,
    streamInterval: 15_000,
    shutdownTimeout: 5_000,
  });
});

test("a limit that is chosen takes the place of its default", () => {
  expect(completeLimits({ bodyBytes: 1 }, defaultLimits)).toEqual({ ...defaultLimits, bodyBytes: 1 });
});

test("a state has room for four bodies, unless another limit is chosen", () => {
  expect(completeServerLimits({}).stateBytes).toBe(16_384);
  expect(completeServerLimits({ bodyBytes: 100 })).toEqual({ ...defaultLimits, bodyBytes: 100, stateBytes: 400 });
  expect(completeServerLimits({ bodyBytes: 100, stateBytes: 7 }).stateBytes).toBe(7);
  expect(() => completeServerLimits({ bodyBytes: 0 })).toThrow("The limit bodyBytes must");
});

test.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "1", null])("%j is no limit", (value) => {
  expect(() => completeLimits({ keepAliveTimeout: value as number }, defaultLimits)).toThrow(RangeError);
  expect(() => completeLimits({ keepAliveTimeout: value as number }, defaultLimits)).toThrow(/keepAliveTimeout/);
});

test("a limit that there is not is refused, naming it", () => {
  const old = { headTime: 1 } as object;
  expect(() => completeLimits(old, defaultLimits)).toThrow("There is no limit headTime.");
});
