import { expect, test } from "vitest";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import { ValueNoun } from "../../../ts/hardware/nouns/value-noun.ts";

const shape = {
  level: { type: "integer", minimum: 0, maximum: 100 },
  name: { type: "string", optional: true },
} as const satisfies Shape;

test("starts in the default state, which is empty unless given", () => {
  expect(new ValueNoun().getState()).toEqual({});
  expect(new ValueNoun({ default: { text: "hello" } }).getState()).toEqual({ text: "hello" });
});

test("setting replaces the whole state", () => {
  const noun = new ValueNoun({ default: { a: 1, b: 2 } });
  expect(noun.setState({ c: null })).toEqual({ c: null });
  expect(noun.getState()).toEqual({ c: null });
});

test("an update changes and adds the keys it names and leaves the others", () => {
  const noun = new ValueNoun({ default: { a: 1, b: 2 } });
  expect(noun.updateState({ b: 3, c: true })).toEqual({ a: 1, b: 3, c: true });
  expect(noun.updateState({})).toEqual({ a: 1, b: 3, c: true });
  expect(noun.getState()).toEqual({ a: 1, b: 3, c: true });
});

test("deleting brings the default back, again and again", () => {
  const noun = new ValueNoun({ default: { a: 1 } });
  noun.setState({ a: 2, b: 3 });
  expect(noun.deleteState()).toEqual({ a: 1 });
  noun.updateState({ a: 5 });
  expect(noun.deleteState()).toEqual({ a: 1 });
  expect(noun.getState()).toEqual({ a: 1 });
});

test("changing what was given, or what was got, does not change the state", () => {
  const initial = { a: 1 };
  const noun = new ValueNoun({ default: initial });
  initial.a = 9;
  expect(noun.getState()).toEqual({ a: 1 });
  const given = { a: 2 };
  const got = noun.setState(given);
  given.a = 9;
  expect(noun.getState()).toEqual({ a: 2 });
  for (const state of [got, noun.updateState({ b: 1 }), noun.deleteState()]) {
    expect(Object.isFrozen(state)).toBe(true);
  }
});

test('"__proto__" is a key like any other', () => {
  const noun = new ValueNoun();
  const change = JSON.parse('{"__proto__":1}');
  expect(Object.keys(noun.updateState(change))).toEqual(["__proto__"]);
  expect(Object.keys(noun.setState(change))).toEqual(["__proto__"]);
});

test("declares the shape it was given, and none otherwise", () => {
  expect(new ValueNoun({ shape, default: { level: 1 } }).shape).toBe(shape);
  expect(new ValueNoun().shape).toBeUndefined();
});

test("refuses a default that is not of the shape", () => {
  expect(() => new ValueNoun({ shape, default: { level: 101 } })).toThrow(StateError);
  expect(() => new ValueNoun({ shape })).toThrow(StateError);
  // @ts-expect-error the compiler knows the keys of the shape
  expect(() => new ValueNoun({ shape, default: { level: 1, colour: "red" } })).toThrow(StateError);
});

test("refuses a default that is not a flat state", () => {
  // @ts-expect-error a list is no scalar
  expect(() => new ValueNoun({ default: { a: [1] } })).toThrow(TypeError);
  expect(() => new ValueNoun({ default: { a: Number.NaN } })).toThrow(TypeError);
});

test("holds 64 keys by updates, and a refused update changes nothing", () => {
  const noun = new ValueNoun();
  for (let key = 0; key < 64; key++) noun.updateState({ [`key${key}`]: key });
  const before = noun.getState();
  expect(() => noun.updateState({ key0: 2, key64: 64 })).toThrow(StateError);
  expect(noun.getState()).toEqual(before);
  expect(noun.updateState({ key0: 2 })).toEqual({ ...before, key0: 2 });
});

test("a state that was set beyond the bound can still be updated in place", () => {
  const noun = new ValueNoun();
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, key) => [`key${key}`, key]));
  noun.setState(many);
  expect(noun.updateState({ key64: 2 })).toEqual({ ...many, key64: 2 });
  expect(() => noun.updateState({ c: 1 })).toThrow(StateError);
});

test("tells everyone who watches of each change, until they end it", () => {
  const noun = new ValueNoun();
  const told: string[] = [];
  const ends = ["one", "other"].map((name) => noun.watch(() => told.push(name)));
  noun.setState({ a: 1 });
  ends[0]?.();
  noun.updateState({ a: 2 });
  noun.deleteState();
  expect(told).toEqual(["one", "other", "other", "other"]);
});
