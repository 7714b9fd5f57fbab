import fc from "fast-check";
import { expect, test } from "vitest";
import { checkState, type Key, type Shape } from "../../../ts/core/noun/shape.ts";
import { ShapeWriter } from "../../../ts/core/noun/shape-writer.ts";
import type { Scalar, State } from "../../../ts/core/noun/state.ts";
import { StateError } from "../../../ts/core/noun/state-error.ts";
import { writeState } from "../../../ts/core/noun/state-writer.ts";

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom<Scalar>(2 ** 53, 0.5, "", "auto", "é\n", true, false, null),
  fc.string({ maxLength: 4 }),
);

const common = { optional: fc.constant<true>(true), nullable: fc.constant<true>(true) };
const bound = fc.integer({ min: -3, max: 3 });

const anyKey: fc.Arbitrary<Key> = fc.oneof(
  fc.record(
    { type: fc.constantFrom("integer" as const, "number" as const), minimum: bound, maximum: bound, ...common },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    { type: fc.constant("string" as const), maximumLength: fc.nat({ max: 4 }), ...common },
    { requiredKeys: ["type"] },
  ),
  fc.record({ type: fc.constant("boolean" as const), ...common }, { requiredKeys: ["type"] }),
  fc.record(
    { type: fc.constant("choice" as const), values: fc.array(scalar, { maxLength: 3 }), ...common },
    { requiredKeys: ["type", "values"] },
  ),
);

const name = fc.constantFrom("a", "b", "constructor", "é");

function isOfShape(shape: Shape, state: State): boolean {
  try {
    checkState(shape, state);
    return true;
  } catch (error) {
    if (error instanceof StateError) return false;
    throw error;
  }
}

test("writes what checkState takes as writeState does, and refuses everything else", () => {
  fc.assert(
    fc.property(fc.dictionary(name, anyKey), fc.dictionary(name, scalar), (shape, state) => {
      const writer = new ShapeWriter(shape);
      if (isOfShape(shape, state)) expect(writer.write(state)).toBe(writeState(state));
      else expect(() => writer.write(state)).toThrow(TypeError);
    }),
    { numRuns: 2_000 },
  );
});

const shape = {
  speed: { type: "integer", minimum: 0, maximum: 100 },
  mode: { type: "choice", values: ["auto", "manual"] },
  rotations: { type: "integer", readOnly: true },
} as const satisfies Shape;
const right = { speed: 7, mode: "auto", rotations: 70 };

test("a read-only key is one that results have", () => {
  expect(new ShapeWriter(shape).write(right)).toBe('{"speed":7,"mode":"auto","rotations":70}');
});

test.each([
  [{ ...right, speed: 101 }, 'the value of "speed" must be a whole number from 0 to 100, but is 101.'],
  [{ ...right, speed: "7" }, 'the value of "speed" must be a whole number from 0 to 100, but is "7".'],
  [{ ...right, speed: Number.NaN }, 'the value of "speed" must be a whole number from 0 to 100, but is NaN.'],
  [{ ...right, speed: undefined }, 'the value of "speed" must be a whole number from 0 to 100, but is undefined.'],
  [{ ...right, mode: "of" }, 'the value of "mode" must be "auto" or "manual", but is "of".'],
  [{ ...right, speed: [1] }, 'the value of "speed" must be a whole number from 0 to 100, but is an object.'],
  [{ speed: 7, mode: "auto" }, 'the key "rotations" is missing.'],
  [{ ...right, more: 1 }, 'the shape does not have the key "more"; it has "speed", "mode", "rotations".'],
  [{ ...right, toString: 1 }, 'the shape does not have the key "toString"; it has "speed", "mode", "rotations".'],
  [undefined, "a state is one flat object, but this is undefined."],
  [[], 'the key "speed" is missing.'],
])("%j is refused by a sentence that names the key", (result, sentence) => {
  expect(() => new ShapeWriter(shape).write(result)).toThrow(
    `The noun returned a state that does not fit its shape: ${sentence}`,
  );
});
