import { describe, expect, test } from "vitest";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedGuard } from "../../../ts/native/simulated/guard.ts";
import type { Shape } from "../../../ts/noun/shape.ts";
import type { State } from "../../../ts/noun/state.ts";
import { NounQueue } from "../../../ts/server/noun-queue.ts";
import { readState } from "../../../ts/server/state-body.ts";
import { RecordingNoun } from "./recording-noun.ts";

function read(body: string, verb: "PUT" | "POST" = "PUT", shapes: { PUT?: Shape; POST?: Shape } = {}): State {
  const registered = {
    name: "led",
    noun: new RecordingNoun(),
    shapes: { PUT: shapes.PUT, POST: shapes.POST },
    queue: new NounQueue({ clock: new SimulatedClock(), guard: new SimulatedGuard() }, 1),
  };
  return readState(body, { registered, verb }, 2);
}

test("bytes of UTF-8 become a state", () => {
  expect(Object.entries(read('{"a":"\xc3\xa9","b":1}'))).toEqual([
    ["a", "é"],
    ["b", 1],
  ]);
});

describe("is refused, keeping the connection:", () => {
  test.each([
    ["bytes that are not UTF-8", '{"a":"\xff"}', 400],
    ["a byte-order mark", "\xef\xbb\xbf{}", 400],
    ["a text that is no state", "{]", 400],
    ["a pair too many", '{"a":1,"b":2,"c":3}', 400],
    ["a state that is not of the shape", '{"a":1,"b":2}', 422],
  ])("%s", (_name, body, status) => {
    const shapes = { PUT: { a: { type: "integer" } } } as const;
    expect(() => read(body, "PUT", shapes)).toThrow(
      expect.objectContaining({ name: "HttpError", status, close: false }),
    );
  });
});

test("a PUT and a POST are each held to their own shape", () => {
  const shapes = { PUT: { a: { type: "integer" } }, POST: { by: { type: "integer" } } } as const;
  expect(read('{"a":1}', "PUT", shapes)).toEqual(expect.objectContaining({ a: 1 }));
  expect(read('{"by":1}', "POST", shapes)).toEqual(expect.objectContaining({ by: 1 }));
  expect(() => read('{"a":1}', "POST", shapes)).toThrow(expect.objectContaining({ status: 422 }));
});
