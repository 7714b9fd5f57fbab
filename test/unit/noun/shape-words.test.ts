import { expect, test } from "vitest";
import { defineNoun } from "../../../ts/core/noun/define-noun.ts";
import type { Shape } from "../../../ts/core/noun/shape.ts";
import { assertShape } from "../../../ts/core/noun/shape-words.ts";

const get = () => ({ level: 0 });

test("a misspelt word of a key is refused by the types, and when the noun is made", () => {
  // @ts-expect-error it is maximum
  expect(() => defineNoun({ shape: { level: { type: "integer", max: 100 } }, get })).toThrow(
    'The key "level" has the unknown option "max"; the options known here are "minimum", "maximum", "type", ' +
      '"title", "description", "unit", "step", "labels", "deviceClass", "diagnostic", "colour", "homeAssistant", ' +
      '"optional", "nullable", "readOnly", "timeDependent", "counts", "fallsBack".',
  );
  // @ts-expect-error it is minimum
  expect(() => defineNoun({ shape: { level: { type: "integer", minimun: 0 } }, get })).toThrow(
    'has the unknown option "minimun"',
  );
  // @ts-expect-error it is readOnly
  expect(() => defineNoun({ shape: { level: { type: "integer", readonly: true } }, get })).toThrow(
    'has the unknown option "readonly"',
  );
  // @ts-expect-error it is a word of numbers
  const shape = { mode: { type: "choice", values: ["auto"], minimum: 0 } } as const satisfies Shape;
  expect(() => assertShape(shape as unknown as Shape)).toThrow('has the unknown option "minimum"');
});

test("a misspelt type is refused by the types, and when the noun is made", () => {
  // @ts-expect-error it is integer
  expect(() => defineNoun({ shape: { level: { type: "int" } }, get })).toThrow(
    'The type of the key "level" must be one of "integer", "number", "string", "boolean", "choice", not "int".',
  );
});

test("every word there is may be said", () => {
  const common = { title: "a", description: "b", unit: "c", optional: true, nullable: true, readOnly: true } as const;
  const shape = {
    integer: { type: "integer", minimum: 0, maximum: 1, ...common },
    number: { type: "number", minimum: 0, maximum: 1, timeDependent: true, ...common },
    string: { type: "string", maximumLength: 1, ...common },
    boolean: { type: "boolean", ...common },
    choice: { type: "choice", values: [1], ...common },
  } as const satisfies Shape;
  expect(() => defineNoun({ shape, get: () => ({}) })).not.toThrow();
});
