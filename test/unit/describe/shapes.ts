/** Nouns of any shape, for property tests. */
import fc from "fast-check";
import type { Key, Shape } from "../../../ts/core/noun/shape.ts";
import type { Scalar } from "../../../ts/core/noun/state.ts";
import type { DescribedNoun } from "../../../ts/parts/documents/describe/described-device.ts";
import { allMethods } from "./devices.ts";

const text = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
/** Without the negative zero, which JSON does not have. */
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const scalar: fc.Arbitrary<Scalar> = fc.oneof(text, number, fc.boolean(), fc.constant(null));

const said = fc.record(
  {
    title: text,
    description: text,
    unit: text,
    optional: fc.constant(true as const),
    nullable: fc.constant(true as const),
    readOnly: fc.constant(true as const),
  },
  { requiredKeys: [] },
);

const range = (bound: fc.Arbitrary<number>) =>
  fc.tuple(bound, bound).map(([one, other]) => ({ minimum: Math.min(one, other), maximum: Math.max(one, other) }));

const declared: fc.Arbitrary<Key> = fc.oneof(
  range(fc.integer()).map((bounds) => ({ type: "integer" as const, ...bounds })),
  fc.oneof(fc.constant({}), range(number)).map((bounds) => ({ type: "number" as const, ...bounds })),
  fc.nat(9).map((maximumLength) => ({ type: "string" as const, maximumLength })),
  fc.constant({ type: "boolean" as const }),
  fc.array(scalar, { minLength: 1, maxLength: 5 }).map((values) => ({ type: "choice" as const, values })),
);

const key = fc.tuple(declared, said).map(([one, other]): Key => ({ ...one, ...other }));

export const anyShape: fc.Arbitrary<Shape> = fc.dictionary(text, key, { maxKeys: 5 });

/** Ajv never looks at a property of this name, so it cannot judge a description that has one. */
const unseenName = "__proto__";

const anyNoun: fc.Arbitrary<DescribedNoun> = fc.record({
  name: fc.stringMatching(/^[a-z0-9._~-]{1,12}$/).filter((name) => name !== unseenName),
  title: fc.option(text, { nil: undefined }),
  description: fc.option(text, { nil: undefined }),
  shape: fc.option(
    anyShape.filter((shape) => !Object.hasOwn(shape, unseenName)),
    { nil: undefined },
  ),
  methods: fc.subarray([...allMethods]),
});

export const anyNouns = fc.uniqueArray(anyNoun, { selector: ({ name }) => name, maxLength: 4 });
