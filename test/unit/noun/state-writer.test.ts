import fc from "fast-check";
import { expect, test } from "vitest";
import type { State } from "../../../ts/core/noun/state.ts";
import { parseState } from "../../../ts/core/noun/state-parser.ts";
import { joinStates, toState, writeState } from "../../../ts/core/noun/state-writer.ts";
import { states } from "./states.ts";

test("a state is written without white space, its keys in their order", () => {
  expect(writeState({ b: 1.5, a: "é", c: null, d: false })).toBe('{"b":1.5,"a":"é","c":null,"d":false}');
  expect(writeState({})).toBe("{}");
});

/** A state as pairs, -0 being 0. */
function pairs(state: State): readonly (readonly [string, unknown])[] {
  return Object.entries(state).map(([key, value]) => [key, value === 0 ? 0 : value]);
}

test("what is written is read back equal, whatever the state", () => {
  fc.assert(
    fc.property(states, (state) => {
      expect(pairs(parseState(writeState(state), 64))).toEqual(pairs(state));
      expect(pairs(parseState(writeState(toState(state)), 64))).toEqual(pairs(state));
    }),
    { numRuns: 1000 },
  );
});

test("a state is written as JSON.stringify writes it, whatever the keys before it were", () => {
  fc.assert(
    fc.property(fc.array(states, { maxLength: 4 }), (row) => {
      for (const state of row) expect(writeState(state)).toBe(JSON.stringify(toState(state)));
    }),
  );
});

test.each([
  undefined,
  null,
  1,
  "a",
  [],
  () => ({}),
  { a: [] },
  { a: Number.NaN },
  { a: "\ud800" },
  { "\ud800": 1 },
  { a: 1n },
])("%s is not written, as it is no state", (value) => {
  expect(() => writeState(value)).toThrow(TypeError);
  expect(() => toState(value)).toThrow(TypeError);
});

test("what is written is one line that UTF-8 can encode", () => {
  fc.assert(
    fc.property(states, (state) => {
      const written = writeState(state);
      expect(written.isWellFormed()).toBe(true);
      expect(written).not.toMatch(/[\0-\x1f]/);
    }),
  );
});

test("the states of several nouns are one object", () => {
  expect(joinStates([])).toBe("{}");
  const states = [
    { name: "led", json: '{"led":1}' },
    { name: "~", json: "{}" },
  ];
  expect(joinStates(states)).toBe('{"led":{"led":1},"~":{}}');
});
