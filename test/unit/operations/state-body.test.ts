import { describe, expect, test } from "vitest";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { readStateBody } from "../../../ts/core/operations/state-body.ts";

function read(body: string, shape?: Shape): State {
  return readStateBody(body, shape, 2);
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
    expect(() => read(body, { a: { type: "integer" } })).toThrow(
      expect.objectContaining({ name: "HttpError", status, close: false }),
    );
  });
});
