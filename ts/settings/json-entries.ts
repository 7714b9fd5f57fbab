/** The keys and values of an object that was read. */

import type { Json, JsonObject } from "./json.ts";

/** For each object with a key such as `10`, its entries in the text's order. The language puts such keys first. */
export const writtenEntries = new WeakMap<JsonObject, readonly (readonly [string, Json])[]>();

/** @returns the keys of an object with their values, in the order of the text that it was read from. */
export function entriesOf(object: JsonObject): readonly (readonly [string, Json])[] {
  return writtenEntries.get(object) ?? Object.entries(object);
}
