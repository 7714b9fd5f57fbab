/** States in JSON. */

/** The value of a key. */
export type Scalar = string | number | boolean | null;

export type State = { readonly [key: string]: Scalar };

type Json = Scalar | undefined | readonly Json[] | JsonObject;

/** An unchecked object of JSON. */
export type JsonObject = { readonly [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @returns a value's own member; undefined if the value is not an object. */
export function member(value: unknown, name: string): Json {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** @returns a member that is a text; undefined for any other type. */
export function textOf(value: unknown, name: string): string | undefined {
  const text = member(value, name);
  return typeof text === "string" ? text : undefined;
}

/** @returns the parsed JSON of a text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
