/** The conditions of a rule or a guard: what the keys of nouns must be, all of them together. */
import type { Scalar } from "./state.ts";

/**
 * What one key must be: a value; a number beyond a threshold, until it has come back to another one; or another value
 * than before, which a guard cannot ask for.
 *
 * @example
 * const isCold: Condition = { below: 4, until: 6 };
 */
export type Condition =
  | Scalar
  | { readonly above: number; readonly until?: number }
  | { readonly below: number; readonly until?: number }
  | { readonly changes: true };

/**
 * Conditions by noun, by key. All of them must hold.
 *
 * @example
 * const guard: When = { pump: { on: 1 }, cellar: { celsius: { below: 55, until: 60 } } };
 * server.register("heater", gpioOutputNoun({ line: "GPIO17", key: "on", guard }));
 */
export type When = { readonly [noun: string]: { readonly [key: string]: Condition } };

/**
 * @returns a condition of a guard as one of a rule: "below 60 until 55" and "below 55 until 60" are the same for a
 *   guard, which begins to hold below 55 and ends at 60.
 */
export function ordered(condition: Condition): Condition {
  if (typeof condition !== "object" || condition === null || "changes" in condition) return condition;
  const { until } = condition;
  if (until === undefined) return condition;
  if ("below" in condition) {
    return { below: Math.min(condition.below, until), until: Math.max(condition.below, until) };
  }
  return { above: Math.max(condition.above, until), until: Math.min(condition.above, until) };
}

/** @returns whether a condition is one of `changes`. */
export function isChange(condition: Condition): boolean {
  return typeof condition === "object" && condition !== null && "changes" in condition;
}

/** What one key of a noun must be, and what it was last. */
export class KeyCondition {
  readonly noun: string;
  readonly key: string;
  readonly condition: Condition;
  /** The last readable value; undefined before the first one. */
  last: Scalar | undefined;
  /** Whether the key is not null now. A key that is null decides nothing. */
  isReadable = false;
  /** Whether the condition holds, by the last value. */
  holds = false;

  constructor(noun: string, key: string, condition: Condition) {
    this.noun = noun;
    this.key = key;
    this.condition = condition;
  }

  /** Forgets the values. */
  reset(): void {
    this.last = undefined;
    this.isReadable = false;
    this.holds = false;
  }

  /** @returns whether the value differs from the last readable one. */
  take(value: Scalar | undefined): boolean {
    this.isReadable = value !== undefined && value !== null;
    if (!this.isReadable) return false;
    const differs = this.last !== undefined && value !== this.last;
    this.last = value;
    this.holds = this.isMet(value as Scalar);
    return differs;
  }

  /** @returns whether the condition would hold if the key became this value; undefined and null are unreadable. */
  wouldHold(value: Scalar | undefined): boolean {
    return value !== undefined && value !== null && this.isMet(value);
  }

  private isMet(value: Scalar): boolean {
    const { condition } = this;
    if (typeof condition !== "object" || condition === null) return value === condition;
    if ("changes" in condition) return true;
    if (typeof value !== "number") return false;
    // What holds goes on until the other threshold.
    if ("above" in condition) {
      return this.holds ? value > (condition.until ?? condition.above) : value > condition.above;
    }
    return this.holds ? value < (condition.until ?? condition.below) : value < condition.below;
  }
}

/** @returns the conditions as a list, in the order of the configuration; all of them must hold. */
export function conditionsOf(when: When): readonly KeyCondition[] {
  return Object.entries(when).flatMap(([noun, keys]) =>
    Object.entries(keys).map(([key, condition]) => new KeyCondition(noun, key, condition)),
  );
}

/** @returns the names of the nouns that conditions wait for, each once. */
export function nounsOf(conditions: readonly KeyCondition[]): ReadonlySet<string> {
  return new Set(conditions.map(({ noun }) => noun));
}
