/** States for property tests. */
import fc from "fast-check";
import type { Scalar, State } from "../../../ts/core/noun/state.ts";

/** A string that UTF-8 can encode: no lone surrogates. */
export const text = fc.string({ unit: "binary", maxLength: 12 });

const key = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "toString", "toJSON", "then", "0", "") },
);

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(0, -0, 1e21, 5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER + 1),
);

const scalar: fc.Arbitrary<Scalar> = fc.oneof(text, number, fc.boolean(), fc.constant(null));

/** Any state, on an object without a prototype. */
export const states: fc.Arbitrary<State> = fc
  .uniqueArray(fc.tuple(key, scalar), { maxLength: 8, selector: ([name]) => name })
  .map((pairs) => {
    const state: { [key: string]: Scalar } = Object.create(null);
    for (const [name, value] of pairs) state[name] = value;
    return state;
  });
