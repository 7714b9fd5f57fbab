/** Shapes as JSON Schema, in the part of it that a Thing Description (TD 1.1, 5.3.2) and OpenAPI 3.1 have in common. */
import type { Key, Shape, StringKey } from "../../../core/noun/shape.ts";
import type { Scalar, State } from "../../../core/noun/state.ts";
import type { DescribedNoun } from "./described-device.ts";

/** JSON to write; undefined values are left out. */
export type Json = Scalar | undefined | readonly Json[] | JsonObject;

export type JsonObject = { readonly [key: string]: Json };

function typeOf(values: readonly Scalar[]): string | undefined {
  const [type, ...others] = new Set(
    values.map((value) => (value === null ? "null" : Number.isSafeInteger(value) ? "integer" : typeof value)),
  );
  return others.length === 0 ? type : undefined;
}

const clock = "([01][0-9]|2[0-3]):[0-5][0-9]";
const patterns = {
  time: `^${clock}$`,
  sun: `^(${clock}|(dawn|sunrise|sunset|dusk)([+-]${clock})?(>${clock})?(<${clock})?)$`,
};

function valueSchema(key: Key): JsonObject {
  switch (key.type) {
    case "integer":
    case "number":
      return { type: key.type, minimum: key.minimum, maximum: key.maximum };
    case "string":
      return { type: "string", maxLength: key.maximumLength, pattern: key.format && patterns[key.format] };
    case "boolean":
      return { type: "boolean" };
    case "choice":
      return { type: typeOf(key.values), enum: [...new Set(key.values)] };
  }
}

/** The names of the schema's extensions, for facts that JSON Schema has no keywords for. */
export interface Keywords {
  readonly unit: string;
  /** What begins the others. */
  readonly prefix: string;
}

/** The words of a key's declaration that become extensions. */
const extensions = [
  "timeDependent",
  "counts",
  "labels",
  "deviceClass",
  "diagnostic",
  "colour",
  "fallsBack",
  "format",
] as const;

function keySchema(key: Key, keywords: Keywords): JsonObject {
  const { title, description, unit, readOnly, nullable } = key;
  const value = valueSchema(key);
  const admitsNull = nullable === true && !(key.type === "choice" && key.values.includes(null));
  return {
    title,
    description,
    ...(admitsNull ? { oneOf: [value, { type: "null" }] } : value),
    [keywords.unit]: unit,
    readOnly,
    ...Object.fromEntries(extensions.map((word) => [keywords.prefix + word, (key as StringKey)[word]])),
  };
}

/** A value of any flat object. */
const scalarSchema: JsonObject = { type: ["string", "number", "boolean", "null"] };

/**
 * @param shape undefined for any flat object. @param requires whether a key is required.
 */
function objectSchema(shape: Shape | undefined, keywords: Keywords, requires: (key: Key) => boolean): JsonObject {
  if (shape === undefined) return { type: "object", additionalProperties: scalarSchema };
  const keys = Object.entries(shape);
  const required = keys.filter(([, key]) => requires(key)).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(keys.map(([name, key]) => [name, keySchema(key, keywords)])),
    required: required.length === 0 ? undefined : required,
    additionalProperties: false,
  };
}

function withoutReadOnly(shape: Shape | undefined): Shape | undefined {
  return shape && Object.fromEntries(Object.entries(shape).filter(([, key]) => key.readOnly !== true));
}

/** The state as GET shows it. */
export function stateSchema({ shape }: DescribedNoun, keywords: Keywords): JsonObject {
  return objectSchema(shape, keywords, (key) => key.optional !== true);
}

/** What a PUT holds. */
export function desiredSchema({ shape }: DescribedNoun, keywords: Keywords): JsonObject {
  return objectSchema(withoutReadOnly(shape), keywords, (key) => key.optional !== true);
}

/** For a state that is both read and written: it includes the read-only keys, and none of them is required. */
export function propertySchema({ shape }: DescribedNoun, keywords: Keywords): JsonObject {
  return objectSchema(shape, keywords, (key) => key.optional !== true && key.readOnly !== true);
}

/** What a POST holds. */
export function changeSchema({ shape, updateShape, takesAny }: DescribedNoun, keywords: Keywords): JsonObject {
  if (takesAny === true) return objectSchema(undefined, keywords, () => false);
  if (updateShape === undefined) return objectSchema(withoutReadOnly(shape), keywords, () => false);
  return objectSchema(withoutReadOnly(updateShape), keywords, (key) => key.optional !== true);
}

function exampleOf(key: Key): Scalar {
  switch (key.type) {
    case "integer":
    case "number": {
      const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = key;
      const nearest = Math.min(Math.max(0, minimum), maximum);
      return key.type === "integer" ? Math.ceil(nearest) : nearest;
    }
    case "string":
      return key.format === undefined ? "text".slice(0, key.maximumLength) : "06:30";
    case "boolean":
      return true;
    case "choice":
      return key.values[0] ?? null;
  }
}

/** @returns a state of the shape; with `isSent` one that a PUT may hold. */
export function exampleState({ shape = {} }: DescribedNoun, isSent: boolean): State {
  const keys = Object.entries(shape).filter(([, key]) => !isSent || key.readOnly !== true);
  return Object.fromEntries(keys.map(([name, key]) => [name, exampleOf(key)]));
}

/** The schema of a refusal (RFC 9457). */
export const problemSchema: JsonObject = {
  type: "object",
  properties: {
    status: { type: "integer", minimum: 400, maximum: 599 },
    title: { type: "string" },
    detail: { type: "string", description: "What was wrong and what to do." },
  },
  required: ["status", "title", "detail"],
};
