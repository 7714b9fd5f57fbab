/**
 * JSON that is too long to be written at once. It comes in texts that follow one another, so that its writer may pause
 * between two of them.
 */
import type { Json, JsonObject } from "./data-schema.ts";

/** A value as JSON: one text, or the texts that follow one another. */
export type LongJson = string | Iterable<string>;

/** @returns the texts of an object: the members of `object`, all in the first text, and then `members`. */
export function* longObject(
  object: JsonObject,
  members: Iterable<readonly [name: string, value: LongJson]>,
): Generator<string> {
  let text = JSON.stringify(object).slice(0, -1);
  let separator = text === "{" ? "" : ",";
  for (const [name, value] of members) {
    text += `${separator}${JSON.stringify(name)}:`;
    separator = ",";
    if (typeof value === "string") yield text + value;
    else {
      yield text;
      yield* value;
    }
    text = "";
  }
  yield `${text}}`;
}

/** @returns the texts of an array, one for each element. */
export function* longArray(elements: Iterable<Json>): Generator<string> {
  let separator = "[";
  for (const element of elements) {
    yield separator + JSON.stringify(element);
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}
