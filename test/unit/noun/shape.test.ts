import { describe, expect, expectTypeOf, test } from "vitest";
import {
  checkState,
  type DesiredOf,
  describeKey,
  type Key,
  partialShape,
  type Shape,
  type StateOf,
} from "../../../ts/core/noun/shape.ts";
import type { Scalar, State } from "../../../ts/core/noun/state.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";

const fan = {
  speed: { type: "integer", minimum: 0, maximum: 100 },
  gain: { type: "number", optional: true },
  label: { type: "string", maximumLength: 3, optional: true },
  on: { type: "boolean", optional: true },
  mode: { type: "choice", values: ["in", "out", 7, null], optional: true },
} as const satisfies Shape;

/** @returns the refusal, or undefined. */
function refusal(state: State, shape: Shape = fan): StateError | undefined {
  try {
    checkState(shape, state);
  } catch (error) {
    if (error instanceof StateError) return error;
    throw error;
  }
  return undefined;
}

describe("a state is of the shape", () => {
  test.each<State>([
    { speed: 0 },
    { speed: 100 },
    { speed: 50, gain: -1.5e300, label: "abc", on: false, mode: "in" },
    { speed: 1, mode: null },
    { mode: 7, speed: 1, label: "" },
  ])("%j", (state) => {
    expect(refusal(state)).toBeUndefined();
  });

  test("when both have no keys", () => {
    expect(refusal({}, {})).toBeUndefined();
  });
});

describe("a state is not of the shape", () => {
  test.each<[State, string]>([
    [{}, "speed"],
    [{ speed: -1 }, "speed"],
    [{ speed: 101 }, "speed"],
    [{ speed: 1.5 }, "speed"],
    [{ speed: "1" }, "speed"],
    [{ speed: null }, "speed"],
    [{ speed: true }, "speed"],
    [{ speed: 1, gain: "1" }, "gain"],
    [{ speed: 1, label: "abcd" }, "label"],
    [{ speed: 1, label: 1 }, "label"],
    [{ speed: 1, on: 1 }, "on"],
    [{ speed: 1, on: null }, "on"],
    [{ speed: 1, mode: "up" }, "mode"],
    [{ speed: 1, mode: "7" }, "mode"],
    [{ speed: 1, mode: false }, "mode"],
  ])("%j, and %s is named", (state, key) => {
    const error = refusal(state);
    expect(error?.key).toBe(key);
    expect(error?.message).toContain(`"${key}"`);
    expect(error?.message).toMatch(/^[A-Z].*\.$/);
  });

  test.each(["constructor", "toString", "__proto__", "hasOwnProperty", "SPEED"])(
    "with the unknown key %s, and the keys there are are named instead",
    (key) => {
      const error = refusal(
        Object.fromEntries([
          ["speed", 1],
          [key, 1],
        ]),
      );
      expect(error?.message).toContain('"speed", "gain"');
      expect(error?.message).not.toContain(key);
    },
  );

  test("with any key when the shape has none", () => {
    expect(refusal({ a: 1 }, {})).toBeInstanceOf(StateError);
  });
});

test("a whole number is one that arithmetic can be trusted with", () => {
  const shape: Shape = { n: { type: "integer" } };
  expect(refusal({ n: Number.MAX_SAFE_INTEGER }, shape)).toBeUndefined();
  expect(refusal({ n: Number.MAX_SAFE_INTEGER + 1 }, shape)).toBeDefined();
});

test.each<[Key, string]>([
  [{ type: "integer" }, "a whole number"],
  [{ type: "integer", minimum: 0, maximum: 9 }, "a whole number from 0 to 9"],
  [{ type: "number", minimum: 0 }, "a number of at least 0"],
  [{ type: "number", maximum: -1 }, "a number of at most -1"],
  [{ type: "string" }, "a string"],
  [{ type: "string", maximumLength: 9 }, "a string of at most 9 characters"],
  [{ type: "boolean" }, "true or false"],
  [{ type: "choice", values: ["a", 1, null] }, '"a" or 1 or null'],
])("%j is described as what it accepts", (key, description) => {
  expect(describeKey(key)).toBe(description);
});

test("in the shape of a change every key may be left out, and is held to the same declaration", () => {
  const change = partialShape(fan);
  expect(refusal({}, change)).toBeUndefined();
  expect(refusal({ speed: 101 }, change)?.key).toBe("speed");
  expect(refusal({ other: 1 }, change)).toBeDefined();
  expect(refusal({}, fan)?.key).toBe("speed");
});

test("the type of a state follows from its shape", () => {
  expectTypeOf<StateOf<typeof fan>["speed"]>().toEqualTypeOf<number>();
  expectTypeOf<StateOf<typeof fan>["gain"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<StateOf<typeof fan>["label"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<StateOf<typeof fan>["on"]>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<StateOf<typeof fan>["mode"]>().toEqualTypeOf<"in" | "out" | 7 | null | undefined>();
  expectTypeOf<keyof StateOf<typeof fan>>().toEqualTypeOf<"speed" | "gain" | "label" | "on" | "mode">();
});

test("a key that is not optional has to be there, an optional one may be left out, and none can be changed", () => {
  expectTypeOf<{ speed: number }>().toExtend<StateOf<typeof fan>>();
  expectTypeOf<{ gain: number }>().not.toExtend<StateOf<typeof fan>>();
  expectTypeOf<{ speed: string }>().not.toExtend<StateOf<typeof fan>>();
  expectTypeOf<{ speed: number; mode: "up" }>().not.toExtend<StateOf<typeof fan>>();
  expectTypeOf<Pick<StateOf<typeof fan>, "speed">>().toEqualTypeOf<{ readonly speed: number }>();
});

test("a typed state is a state, and a shape without literal types gives one of scalars", () => {
  type Level = StateOf<{ readonly level: { readonly type: "integer" } }>;
  expectTypeOf<Level>().toExtend<State>();
  expectTypeOf<StateOf<Shape>[string]>().toExtend<Scalar | undefined>();
});

describe("a key that is read-only", () => {
  const shape = { target: { type: "number" }, celsius: { type: "number", readOnly: true } } as const satisfies Shape;

  test("may be left out", () => {
    expect(() => checkState(shape, { target: 20 })).not.toThrow();
  });

  test("is refused, naming it, also in a change", () => {
    const refusal = 'The key "celsius" is read-only; leave it out.';
    expect(() => checkState(shape, { target: 20, celsius: 21 })).toThrow(refusal);
    expect(() => checkState(partialShape(shape), { celsius: 21 })).toThrow(refusal);
  });

  test("is of the state, and not of what can be desired", () => {
    expectTypeOf<StateOf<typeof shape>>().toHaveProperty("celsius");
    expectTypeOf<DesiredOf<typeof shape>>().toHaveProperty("target");
    expectTypeOf<DesiredOf<typeof shape>>().not.toHaveProperty("celsius");
  });
});

describe("a key that is nullable", () => {
  const shape = {
    level: { type: "integer", minimum: 0, nullable: true },
    name: { type: "string" },
  } as const satisfies Shape;

  test("may hold null, and what it holds otherwise", () => {
    expect(() => checkState(shape, { level: null, name: "" })).not.toThrow();
    expect(() => checkState(shape, { level: 3, name: "" })).not.toThrow();
  });

  test("is described so, and other keys may not hold null", () => {
    const refusal = 'The value of "level" must be a whole number of at least 0 or null.';
    expect(() => checkState(shape, { level: -1, name: "" })).toThrow(refusal);
    expect(() => checkState(shape, { level: 1, name: null })).toThrow('The value of "name" must be a string.');
  });

  test("has null in its type", () => {
    expectTypeOf<StateOf<typeof shape>["level"]>().toEqualTypeOf<number | null>();
    expectTypeOf<StateOf<typeof shape>["name"]>().toEqualTypeOf<string>();
  });
});
