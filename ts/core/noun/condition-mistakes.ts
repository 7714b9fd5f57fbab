/** What is wrong with a condition that only the shapes of nouns can tell. */
import { type Condition, isChange, type Thresholds } from "./condition.ts";
import { type Reference, referenceIn } from "./reference.ts";
import { clauseOf, refer, type ShapeOf } from "./reference-mistakes.ts";
import { accepts, describeKey, type Key, listKeys, type NumberKey, type Shape } from "./shape.ts";

export interface ConditionMistake {
  /** The path from the condition to what is wrong; empty for the condition itself. */
  readonly keys: readonly string[];
  readonly sentence: string;
}

/** The key that a condition is on. */
interface Place {
  readonly noun: string;
  readonly key: string;
}

type Word = keyof Thresholds;

const isNumber = (key: Key): key is NumberKey => key.type === "integer" || key.type === "number";

/** Whether a threshold can be crossed: `above` the maximum, or `below` the minimum, nothing comes. */
function isWithin(word: Word, threshold: number, { minimum = -Infinity, maximum = Infinity }: NumberKey): boolean {
  if (threshold < minimum || threshold > maximum) return false;
  return word === "until" || (word === "above" ? threshold < maximum : threshold > minimum);
}

/** @returns whether some number of a key's range is a threshold that can be crossed. */
function overlaps(word: Word, declared: NumberKey, given: NumberKey): boolean {
  const { minimum = -Infinity, maximum = Infinity } = declared;
  const least = Math.max(minimum, given.minimum ?? -Infinity);
  const most = Math.min(maximum, given.maximum ?? Infinity);
  return least <= most && (isWithin(word, least, declared) || isWithin(word, most, declared) || least < most);
}

function itself(place: Place, { noun, key }: Reference): string | undefined {
  if (noun !== place.noun.toLowerCase() || key !== place.key) return undefined;
  return `expected another key, because the condition would compare ${JSON.stringify(key)} of ${noun} with itself`;
}

function thresholdMistake(
  place: Place,
  declared: NumberKey,
  word: Word,
  threshold: number | string,
  shapeOf: ShapeOf,
): string | undefined {
  const what = word === "until" ? "a value" : "a threshold";
  const within = `expected ${what} within ${describeKey(declared)}`;
  const reference = referenceIn(threshold);
  if (reference === undefined) {
    return isWithin(word, Number(threshold), declared) ? undefined : `${within}, found ${threshold}`;
  }
  const referred = refer(reference, shapeOf);
  if (referred === undefined) return undefined;
  if ("sentence" in referred) return referred.sentence;
  const clause = clauseOf(reference, referred.key);
  if (!isNumber(referred.key)) return `expected a number as ${what}, but ${clause}`;
  return itself(place, reference) ?? (overlaps(word, declared, referred.key) ? undefined : `${within}, but ${clause}`);
}

/** @returns whether two keys have a value in common, as far as that can be told. */
export function haveCommon(one: Key, other: Key): boolean {
  if (isNumber(one) && isNumber(other)) return overlaps("until", one, other);
  if (one.type === "choice") return one.values.some((value) => value !== null && accepts(other, value));
  if (other.type === "choice") return haveCommon(other, one);
  return one.type === other.type;
}

/** @returns what is wrong with a condition on a key of a noun; undefined for a condition that can hold. */
export function conditionMistake(
  shape: Shape,
  place: Place,
  condition: Condition,
  shapeOf: ShapeOf,
): ConditionMistake | undefined {
  const { key } = place;
  const declared = Object.hasOwn(shape, key) ? shape[key] : undefined;
  if (declared === undefined) return { keys: [], sentence: `expected a key of this noun; ${listKeys(shape)}` };
  if (declared.timeDependent === true) {
    return { keys: [], sentence: "expected a key that does not change with time alone" };
  }
  if (condition === null || isChange(condition)) return undefined;
  if (typeof condition === "object") {
    for (const [word, threshold] of Object.entries(condition as Thresholds) as [Word, number | string][]) {
      const sentence = isNumber(declared)
        ? thresholdMistake(place, declared, word, threshold, shapeOf)
        : `expected the threshold of a number, but the key takes ${describeKey(declared)}`;
      if (sentence !== undefined) return { keys: [word], sentence };
    }
    return undefined;
  }
  const reference = referenceIn(condition);
  if (reference !== undefined) {
    const referred = refer(reference, shapeOf);
    if (referred === undefined) return undefined;
    if ("sentence" in referred) return { keys: [], sentence: referred.sentence };
    const own = itself(place, reference);
    if (own !== undefined) return { keys: [], sentence: own };
    if (haveCommon(declared, referred.key)) return undefined;
    return { keys: [], sentence: `expected ${describeKey(declared)}, but ${clauseOf(reference, referred.key)}` };
  }
  if (accepts(declared, condition)) return undefined;
  return { keys: [], sentence: `expected ${describeKey(declared)}, found ${JSON.stringify(condition)}` };
}

/** @returns the open range of thresholds that are numbers, as wide as it gets; undefined for another condition. */
function rangeOf(condition: Condition): readonly [above: number, below: number] | undefined {
  if (typeof condition !== "object" || condition === null) return undefined;
  const { above, below, until } = condition as Thresholds;
  const numbers = (one: number | string | undefined) => (typeof one === "number" ? [one] : []);
  const isOpen = typeof until === "string";
  const least = above === undefined || isOpen ? [] : numbers(above).concat(below === undefined ? numbers(until) : []);
  const most = below === undefined || isOpen ? [] : numbers(below).concat(above === undefined ? numbers(until) : []);
  return [least.length === 0 ? -Infinity : Math.min(...least), most.length === 0 ? Infinity : Math.max(...most)];
}

/** @returns whether two conditions on one key can never hold at once. What only the moment tells may hold. */
export function exclude(one: Condition, other: Condition): boolean {
  if ([one, other].some((condition) => isChange(condition) || referenceIn(condition) !== undefined)) return false;
  const [range, second] = [rangeOf(one), rangeOf(other)];
  if (range === undefined && second === undefined) return one !== other;
  if (range !== undefined && second !== undefined) {
    return Math.max(range[0], second[0]) >= Math.min(range[1], second[1]);
  }
  const [above, below] = range ?? second ?? [0, 0];
  const value = range === undefined ? one : other;
  return typeof value !== "number" || value <= above || value >= below;
}
