import { describe, expect, test } from "vitest";
import { toState } from "../../../ts/core/noun/state-writer.ts";

test.each([
  {},
  { a: "", b: "é💡", c: 0, d: -1.5e300, e: true, f: null },
  { "": 1 },
  JSON.parse('{"__proto__":1}') as object,
])("%j is a state", (value) => {
  expect(Object.entries(toState(value))).toEqual(Object.entries(value));
});

describe("is no state:", () => {
  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a number", 1],
    ["a string", "a"],
    ["a function", () => ({})],
    ["an array", []],
    ["a nested object", { a: {} }],
    ["a nested array", { a: [] }],
    ["undefined under a key", { a: undefined }],
    ["NaN", { a: Number.NaN }],
    ["Infinity", { a: Number.NEGATIVE_INFINITY }],
    ["a bigint", { a: 1n }],
    ["a symbol", { a: Symbol("a") }],
    ["a function under a key", { a: () => 1 }],
    ["half of a surrogate pair", { a: "\ud800" }],
    ["half of a surrogate pair in a key", { "\udc00": 1 }],
  ])("%s", (_name, value) => {
    expect(() => toState(value)).toThrow(TypeError);
  });
});

test("the key that is wrong is named", () => {
  expect(() => toState({ good: 1, bad: [] })).toThrow(/"bad"/);
});

test("what comes out no longer changes with what went in", () => {
  const value = { a: 1 };
  const state = toState(value);
  value.a = 2;
  expect(state).toEqual({ a: 1 });
});

test("a getter is asked once, and a class's methods are not part of a state", () => {
  let asked = 0;
  const state = toState(
    new (class {
      readonly a = 1;
      toJSON(): number {
        return 2;
      }
    })(),
  );
  expect(JSON.stringify(state)).toBe('{"a":1}');
  const once = toState({
    get b() {
      asked += 1;
      return asked;
    },
  });
  expect([...Object.values(once), ...Object.values(once), asked]).toEqual([1, 1, 1]);
});
