/** The conditions of a rule: what the keys of nouns must be, all of them together. */
import type { Scalar, State } from "../noun/state.ts";

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

class KeyCondition {
  readonly noun: string;
  readonly key: string;
  readonly isChange: boolean;
  /** Whether the key is not null now. */
  isReadable = false;
  /** The last readable value; undefined before the first one. */
  last: Scalar | undefined;
  holds = false;
  private readonly condition: Condition;

  constructor(noun: string, key: string, condition: Condition) {
    this.noun = noun;
    this.key = key;
    this.condition = condition;
    this.isChange = isChange(condition);
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

/** The conditions of one rule, and what its nouns' keys were last. */
export class Conditions {
  /** Whether `then` runs at changes, instead of when the conditions begin to hold. */
  readonly isOfChanges: boolean;
  private readonly all: readonly KeyCondition[];

  constructor(when: When) {
    this.all = Object.entries(when).flatMap(([noun, keys]) =>
      Object.entries(keys).map(([key, condition]) => new KeyCondition(noun, key, condition)),
    );
    this.isOfChanges = this.all.some((one) => one.isChange);
  }

  /** Whether every key has had a value. */
  get areKnown(): boolean {
    return this.all.every(({ last }) => last !== undefined);
  }

  /** Whether every key has a value now. A key that is null decides nothing. */
  get areReadable(): boolean {
    return this.all.every(({ isReadable }) => isReadable);
  }

  /** Whether all of them hold, by the last values. */
  get hold(): boolean {
    return this.all.every(({ holds }) => holds);
  }

  /**
   * Takes a noun's state; undefined if the noun failed.
   * @returns whether a key has changed that is to be told of.
   */
  take(noun: string, state: State | undefined): boolean {
    let hasChanged = false;
    for (const one of this.all) {
      if (one.noun !== noun) continue;
      const differs = one.take(state?.[one.key]);
      if (differs && one.isChange) hasChanged = true;
    }
    return hasChanged;
  }
}
