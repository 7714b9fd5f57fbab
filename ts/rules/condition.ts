/** The conditions of a rule: what the keys of nouns must be, all of them together. */
import type { Scalar } from "../noun/state.ts";

/**
 * What one key must be: a value; a number beyond a threshold, until it has come back to another one; or another value
 * than before.
 */
export type Condition =
  | Scalar
  | { readonly above: number; readonly until?: number }
  | { readonly below: number; readonly until?: number }
  | { readonly changes: true };

/** By noun, by key. */
export type When = { readonly [noun: string]: { readonly [key: string]: Condition } };

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
