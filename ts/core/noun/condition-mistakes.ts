/** What is wrong with a condition that only the shape of its noun can tell. */
import type { Condition } from "./condition.ts";
import { isChange } from "./condition.ts";
import { accepts, describeKey, type Key, listKeys, type Shape } from "./shape.ts";

export interface ConditionMistake {
  /** The path from the condition to what is wrong; empty for the condition itself. */
  readonly keys: readonly string[];
  readonly sentence: string;
}

interface Threshold {
  readonly above?: number;
  readonly below?: number;
  readonly until?: number;
}

function thresholdMistake(declared: Key, { above, below, until }: Threshold): ConditionMistake | undefined {
  const word = above === undefined ? "below" : "above";
  const threshold = above ?? below ?? 0;
  if (declared.type !== "integer" && declared.type !== "number") {
    const sentence = `expected the threshold of a number, but the key takes ${describeKey(declared)}`;
    return { keys: [word], sentence };
  }
  const { minimum = -Infinity, maximum = Infinity } = declared;
  const isInRange = above === undefined ? threshold > minimum : threshold < maximum;
  if (!isInRange || threshold < minimum || threshold > maximum) {
    return { keys: [word], sentence: `expected a threshold within ${describeKey(declared)}, found ${threshold}` };
  }
  if (until !== undefined && (until < minimum || until > maximum)) {
    return { keys: ["until"], sentence: `expected a value within ${describeKey(declared)}, found ${until}` };
  }
  return undefined;
}

/** @returns what is wrong with a condition on a key of a noun; undefined for a condition that can hold. */
export function conditionMistake(shape: Shape, key: string, condition: Condition): ConditionMistake | undefined {
  const declared = Object.hasOwn(shape, key) ? shape[key] : undefined;
  if (declared === undefined) return { keys: [], sentence: `expected a key of this noun; ${listKeys(shape)}` };
  if (declared.timeDependent === true) {
    return { keys: [], sentence: "expected a key that does not change with time alone" };
  }
  if (isChange(condition)) return undefined;
  if (typeof condition === "object" && condition !== null) return thresholdMistake(declared, condition as Threshold);
  if (accepts(declared, condition)) return undefined;
  return { keys: [], sentence: `expected ${describeKey(declared)}, found ${JSON.stringify(condition)}` };
}

/** @returns the open range of a threshold, with the value that ends it; undefined for another condition. */
function rangeOf(condition: Condition): readonly [above: number, below: number] | undefined {
  if (typeof condition !== "object" || condition === null) return undefined;
  const { above, below, until } = condition as Threshold;
  if (above !== undefined) return [until ?? above, Infinity];
  return below === undefined ? undefined : [-Infinity, until ?? below];
}

/** @returns whether two conditions on one key can never hold at once. */
export function exclude(one: Condition, other: Condition): boolean {
  if (isChange(one) || isChange(other)) return false;
  const [range, second] = [rangeOf(one), rangeOf(other)];
  if (range === undefined && second === undefined) return one !== other;
  if (range !== undefined && second !== undefined) {
    return Math.max(range[0], second[0]) >= Math.min(range[1], second[1]);
  }
  const [above, below] = range ?? second ?? [0, 0];
  const value = range === undefined ? one : other;
  return typeof value !== "number" || value <= above || value >= below;
}
