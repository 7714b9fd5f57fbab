/** What is wrong with a reference that only the nouns can tell. */
import { isComputed, type Reference } from "./reference.ts";
import { describeKey, type Key, listKeys, type NumberKey, type Shape } from "./shape.ts";

/** @returns what is known of a noun: its shape, or a sentence if there is none; undefined if nobody knows its shape. */
export type ShapeOf = (noun: string) => Shape | string | undefined;

/** What a reference stands for: a key that is computed is another one. */
export type Referred = { readonly key: Key } | { readonly sentence: string } | undefined;

const isNumber = (key: Key): key is NumberKey => key.type === "integer" || key.type === "number";

/** @returns the clause of a key that a sentence ends in. */
export function clauseOf({ noun, key }: Reference, declared: Key): string {
  const takes = declared.type === "string" && declared.format !== undefined ? "is" : "takes";
  const { nullable: _, ...readable } = declared;
  return `the key ${JSON.stringify(key)} of ${noun} ${takes} ${describeKey(readable)}`;
}

/** @returns the numbers that a computed reference can be. */
function computed(key: NumberKey, { factor, summand }: Reference): Key {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = key;
  const ends = [minimum * factor + summand, maximum * factor + summand].sort((one, other) => one - other);
  const [least = 0, most = 0] = ends;
  return {
    type: Number.isInteger(factor) && Number.isInteger(summand) ? key.type : "number",
    ...(Number.isFinite(least) && { minimum: least }),
    ...(Number.isFinite(most) && { maximum: most }),
    ...(key.unit !== undefined && { unit: key.unit }),
  };
}

/** @returns the key that a reference stands for, or what is wrong with it; undefined if nobody knows. */
export function refer(reference: Reference, shapeOf: ShapeOf): Referred {
  const { noun, key } = reference;
  const shape = shapeOf(noun);
  if (typeof shape === "string") return { sentence: shape };
  if (shape === undefined) return undefined;
  const declared = Object.hasOwn(shape, key) ? shape[key] : undefined;
  if (declared === undefined) return { sentence: `expected a key of the noun ${noun}; ${listKeys(shape)}` };
  if (declared.timeDependent === true) {
    return { sentence: `expected a key that does not change with time alone, found the key "${key}" of ${noun}` };
  }
  if (!isComputed(reference)) return { key: declared };
  if (!isNumber(declared)) {
    return { sentence: `expected a number to multiply or to add to, but ${clauseOf(reference, declared)}` };
  }
  if (reference.factor === 0) {
    return { sentence: `expected a factor other than 0, which makes nothing of the key "${key}" of ${noun}` };
  }
  return { key: computed(declared, reference) };
}
