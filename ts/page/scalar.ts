/** States as JSON has them. */

/** The value of a key. */
export type Scalar = string | number | boolean | null;

/** The state of a noun. */
export type State = { readonly [key: string]: Scalar };

type Json = Scalar | undefined | readonly Json[] | JsonObject;

/** An unchecked object of JSON. */
export type JsonObject = { readonly [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @returns a member that a value itself has; undefined if it is not an object. */
export function member(value: unknown, name: string): Json {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** @returns a member that is a text; undefined where it is anything else. */
export function textOf(value: unknown, name: string): string | undefined {
  const text = member(value, name);
  return typeof text === "string" ? text : undefined;
}

/** @returns the JSON of a text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
