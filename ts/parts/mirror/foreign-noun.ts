/**
 * What the description of another device says of one of its nouns. The other device is not trusted: whatever is not as
 * nound writes it makes the noun unusable, and nothing of it is kept.
 *
 *     const { shape, title } = describedNoun(thing, "bell", 64);
 */
import type { Key, Shape } from "../../core/noun/shape.ts";
import type { Scalar } from "../../core/noun/state.ts";

/** What is taken over of a noun. */
export interface ForeignNoun {
  /** Undefined for any flat object. */
  readonly shape: Shape | undefined;
  readonly updateShape: Shape | undefined;
  readonly settable: boolean;
  /** Whether an update may have any keys. */
  readonly takesAny: boolean;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly action: string | undefined;
  /** Devices between that noun and the thing that it stands for. */
  readonly hops: number;
}

/** Parsed JSON. */
type Parsed = { readonly [key: string]: unknown };

/** UTF-16 units of a text for people, and of a key. */
const longestText = 200;
const longestKey = 64;
/** Values of a choice. */
const mostValues = 64;

function isObject(value: unknown): value is Parsed {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectIn(holder: Parsed, key: string): Parsed | undefined {
  const value = Object.hasOwn(holder, key) ? holder[key] : undefined;
  return isObject(value) ? value : undefined;
}

/** @returns a text for people, without characters that are none, and shortened; undefined for anything else. */
function textIn(holder: Parsed, key: string): string | undefined {
  const value = holder[key];
  if (typeof value !== "string") return undefined;
  const text = value
    .toWellFormed()
    .replace(/\p{Cc}/gu, " ")
    .trim()
    .slice(0, longestText)
    .toWellFormed();
  return text === "" ? undefined : text;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
}

/** @returns the words of a declaration that are not left out. */
function present(words: Parsed): Parsed {
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined));
}

function labelsIn(schema: Parsed): { readonly [value: string]: string } | undefined {
  const labels = objectIn(schema, "nound:labels");
  if (labels === undefined) return undefined;
  const names = Object.keys(labels).slice(0, mostValues);
  return present(Object.fromEntries(names.map((value) => [value, textIn(labels, value)]))) as Record<string, string>;
}

/** @returns one of a few words; undefined for anything else. */
function wordIn(schema: Parsed, key: string, words: readonly string[]): unknown {
  return words.find((word) => word === schema[key]);
}

/** @returns when and to which value a key returns by itself. @throws Error for what is none. */
function fallBackIn(schema: Parsed): Parsed | undefined {
  const given = objectIn(schema, "nound:fallsBack");
  if (given === undefined) return undefined;
  const { to, after, renewed } = given;
  if (!isScalar(to) || !Number.isSafeInteger(after) || Number(after) < 0)
    throw new Error("a key falls back to nothing");
  return { to, after, renewed: renewed === true };
}

/** @returns what a schema says of a value, in the words of a shape. @throws Error for what nound does not know. */
function valuesIn({ type, enum: values, minimum, maximum, maxLength: maximumLength }: Parsed): Parsed {
  if (Array.isArray(values)) {
    if (values.length === 0 || values.length > mostValues || !values.every(isScalar)) {
      throw new Error("a choice is none");
    }
    return { type: "choice", values };
  }
  if (type === "integer" || type === "number") {
    if (![minimum, maximum].every((bound) => bound === undefined || Number.isFinite(bound))) {
      throw new Error("a bound is no number");
    }
    return { type, minimum, maximum };
  }
  if (type === "string") {
    if (maximumLength !== undefined && !Number.isSafeInteger(maximumLength)) throw new Error("a length is none");
    return { type, maximumLength };
  }
  if (type === "boolean") return { type };
  throw new Error("a key has no type that nound knows");
}

/** @returns the declaration of a key. @throws Error for what is none. */
function keyOf(schema: Parsed, isOptional: boolean): Key {
  const { oneOf } = schema;
  const [inner, other] = Array.isArray(oneOf) ? (oneOf as unknown[]) : [];
  const isNullable = isObject(inner) && isObject(other) && other["type"] === "null";
  return present({
    title: textIn(schema, "title"),
    description: textIn(schema, "description"),
    unit: textIn(schema, "unit")?.slice(0, 32),
    labels: labelsIn(schema),
    deviceClass: textIn(schema, "nound:deviceClass")?.slice(0, 32),
    counts: wordIn(schema, "nound:counts", ["total", "events"]),
    colour: wordIn(schema, "nound:colour", ["red", "green", "blue"]),
    format: wordIn(schema, "nound:format", ["time", "sun"]),
    fallsBack: fallBackIn(schema),
    timeDependent: schema["nound:timeDependent"] === true || undefined,
    diagnostic: schema["nound:diagnostic"] === true || undefined,
    readOnly: schema["readOnly"] === true || undefined,
    nullable: isNullable || undefined,
    optional: isOptional || undefined,
    ...valuesIn(isNullable ? inner : schema),
  }) as unknown as Key;
}

/** @returns the shape of an object's schema; undefined for any flat object. @throws Error for what is none. */
function shapeOf(schema: Parsed, mostKeys: number): Shape | undefined {
  const properties = objectIn(schema, "properties");
  if (properties === undefined) return undefined;
  const names = Object.keys(properties);
  if (names.length > mostKeys) throw new Error(`it has more than ${mostKeys} keys`);
  const required = Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : [];
  const shape: { [key: string]: Key } = {};
  for (const name of names) {
    const key = objectIn(properties, name);
    if (key === undefined || name === "" || name === "__proto__" || name.length > longestKey || !name.isWellFormed()) {
      throw new Error("a key is none");
    }
    shape[name] = keyOf(key, !required.includes(name) && key["readOnly"] !== true);
  }
  return shape;
}

/**
 * @param propertyText its property in the Thing Description; undefined without one.
 * @param updateText its action `update` there.
 * @param mostKeys how many keys a state may have.
 * @returns what it says of the noun.
 * @throws Error with the end of a sentence: `has no noun of this name`.
 */
export function describedNoun(
  propertyText: string | undefined,
  updateText: string | undefined,
  mostKeys: number,
): ForeignNoun {
  if (propertyText === undefined) throw new Error("has no noun of this name, or the token does not reach it");
  try {
    if (propertyText === "" || updateText === "") throw new Error("it is too long");
    const property = JSON.parse(propertyText) as Parsed;
    const input = objectIn(updateText === undefined ? {} : (JSON.parse(updateText) as Parsed), "input");
    const between = property["nound:hops"] ?? 0;
    if (!Number.isSafeInteger(between) || Number(between) < 0) throw new Error("its hops are no number");
    return {
      shape: shapeOf(property, mostKeys),
      updateShape: input && shapeOf(input, mostKeys),
      takesAny: input !== undefined && objectIn(input, "properties") === undefined,
      settable: property["readOnly"] !== true,
      title: textIn(property, "title"),
      description: textIn(property, "description"),
      action: textIn(property, "nound:action"),
      hops: Number(between),
    };
  } catch (error) {
    throw new Error(`describes the noun in a way that cannot be used: ${error instanceof Error ? error.message : ""}`);
  }
}
