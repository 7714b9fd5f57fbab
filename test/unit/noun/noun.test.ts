import { expect, test } from "vitest";
import { assertNoun } from "../../../ts/core/noun/noun.ts";

function operation(): object {
  return {};
}

const noun = { getState: operation, setState: operation, updateState: operation, deleteState: operation };

test("an object with the four operations is a noun, wherever it has them from", () => {
  expect(() => assertNoun(noun)).not.toThrow();
  expect(() => assertNoun(Object.create(noun))).not.toThrow();
});

test.each(["getState", "setState", "updateState", "deleteState"])(
  "an object without %s is none, and that is said",
  (name) => {
    for (const value of [undefined, {}, "getState"]) {
      expect(() => assertNoun({ ...noun, [name]: value })).toThrow(TypeError);
      expect(() => assertNoun({ ...noun, [name]: value })).toThrow(new RegExp(`missing here: ${name}\\.$`));
    }
  },
);

test("everything that is missing is named", () => {
  expect(() => assertNoun({})).toThrow(/missing here: getState, setState, updateState, deleteState/);
});

test.each([undefined, null, 0, "noun", true, operation])("%s is no object", (value) => {
  expect(() => assertNoun(value)).toThrow(TypeError);
});

test("what a noun says of its changes is checked", () => {
  expect(() => assertNoun({ ...noun, poll: 10, watch: operation })).not.toThrow();
  expect(() => assertNoun({ ...noun, watch: true })).toThrow("A noun's watch must be a function");
  for (const poll of [0, 9, 1.5, Number.NaN, "1000", 86_400_001]) {
    expect(() => assertNoun({ ...noun, poll }), String(poll)).toThrow("a whole number of ms from 10 to 86400000");
  }
});
