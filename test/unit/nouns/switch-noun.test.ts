import { expect, test } from "vitest";
import { checkState, partialShape } from "../../../ts/core/noun/shape.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import { SwitchNoun, type SwitchOptions } from "../../../ts/hardware/nouns/switch-noun.ts";

test("goes from 0 to 1 unless told otherwise, and starts with 0", () => {
  const noun = new SwitchNoun({ key: "led" });
  expect(noun.getState()).toEqual({ led: 0 });
  expect(noun.updateState({})).toEqual({ led: 1 });
});

test("an update sets what it names, and toggles where it names nothing", () => {
  const noun = new SwitchNoun({ key: "led" });
  expect(noun.updateState({ led: 1 })).toEqual({ led: 1 });
  expect(noun.updateState({ led: 1 })).toEqual({ led: 1 });
  expect(noun.updateState({ led: 0 })).toEqual({ led: 0 });
  expect(noun.updateState({})).toEqual({ led: 1 });
  expect(noun.updateState({})).toEqual({ led: 0 });
  expect(noun.getState()).toEqual({ led: 0 });
});

test("setting makes the state the one given, however often", () => {
  const noun = new SwitchNoun({ key: "door", values: ["closed", "open"] });
  expect(noun.setState({ door: "open" })).toEqual({ door: "open" });
  expect(noun.setState({ door: "open" })).toEqual({ door: "open" });
  expect(noun.setState({ door: "closed" })).toEqual({ door: "closed" });
  expect(noun.getState()).toEqual({ door: "closed" });
});

test("deleting brings back the default, which either value can be", () => {
  const noun = new SwitchNoun({ key: "led", default: 1 });
  expect(noun.getState()).toEqual({ led: 1 });
  noun.setState({ led: 0 });
  expect(noun.deleteState()).toEqual({ led: 1 });
  expect(noun.deleteState()).toEqual({ led: 1 });
  expect(noun.updateState({})).toEqual({ led: 0 });
});

test.each([
  [false, true],
  [null, 0],
  ["0", 0],
  [true, false],
])("any two different scalars will do: %j and %j", (off, on) => {
  const noun = new SwitchNoun({ key: "k", values: [off, on] });
  expect(noun.getState()).toEqual({ k: off });
  expect(noun.updateState({})).toEqual({ k: on });
  expect(noun.setState({ k: on })).toEqual({ k: on });
  expect(noun.setState({ k: off })).toEqual({ k: off });
});

test("the default may be the null that one of its values is", () => {
  expect(new SwitchNoun({ key: "k", values: [0, null], default: null }).getState()).toEqual({ k: null });
});

test("its shape takes its two states and no other; an update may be empty", () => {
  const { shape } = new SwitchNoun({ key: "led" });
  expect(() => checkState(shape, { led: 1 })).not.toThrow();
  for (const state of [{ led: 2 }, { led: "1" }, { led: true }, { LED: 1 }, { led: 1, more: 1 }, {}]) {
    expect(() => checkState(shape, state), JSON.stringify(state)).toThrow(StateError);
  }
  expect(() => checkState(partialShape(shape), {})).not.toThrow();
});

test('"__proto__" is a key like any other', () => {
  expect(Object.keys(new SwitchNoun({ key: "__proto__" }).updateState({}))).toEqual(["__proto__"]);
});

test("what it gives cannot be changed", () => {
  const noun = new SwitchNoun({ key: "led" });
  expect(Object.isFrozen(noun.getState())).toBe(true);
  expect(Object.isFrozen(noun.updateState({}))).toBe(true);
});

test.each<SwitchOptions>([
  { key: "" },
  { key: "k", values: [1, 1] },
  { key: "k", default: 2 },
  { key: "k", default: "1" },
  { key: "k", values: [0, Number.NaN] },
  { key: "\ud800" },
])("refuses to be made of %j", (options) => {
  expect(() => new SwitchNoun(options)).toThrow(TypeError);
});
