/** The conditions of a rule or a guard: what the keys of nouns must be, all of them together. */
import { Term } from "./reference.ts";
import type { Scalar } from "./state.ts";

/** The thresholds of a condition. */
export interface Thresholds {
  readonly above?: number | string;
  readonly below?: number | string;
  readonly until?: number | string;
}

/**
 * What one key must be: a value; a number beyond a threshold, until it has come back to another one, or between two; or
 * another value than before, which a guard cannot ask for. `null` holds while the key cannot be read. In place of a
 * value or a threshold, `"$noun.key"` is what another noun has, with a factor and a summand: `"$wish.celsius + 0.5"`.
 *
 * @example
 * const isCold: Condition = { below: 4, until: 6 };
 */
export type Condition =
  | Scalar
  | { readonly above: number | string; readonly below?: number | string; readonly until?: number | string }
  | { readonly below: number | string; readonly until?: number | string }
  | { readonly changes: true };

/**
 * Conditions by noun, by key. All of them must hold.
 *
 * @example
 * const guard: When = { pump: { on: 1 }, cellar: { celsius: { below: 55, until: 60 } } };
 * server.register("heater", gpioOutputNoun({ line: "GPIO17", key: "on", guard }));
 */
export type When = { readonly [noun: string]: { readonly [key: string]: Condition } };

/** @returns whether a condition is one of `changes`. */
export function isChange(condition: Condition): boolean {
  return typeof condition === "object" && condition !== null && "changes" in condition;
}

/** A constant, or what another noun has. */
type Operand = Scalar | Term | undefined;

/** The thresholds of a condition, as far as it has them. */
interface Operands {
  readonly above?: Operand;
  readonly below?: Operand;
  readonly until?: Operand;
}

const now = (operand: Operand): Scalar | undefined => (operand instanceof Term ? operand.now : operand);

const noTerms: readonly Term[] = [];

/** What one key of a noun must be, and what it was last. Few have terms, so their fields are on the prototype. */
export class KeyCondition {
  readonly noun: string;
  readonly key: string;
  readonly condition: Condition;
  /** What it takes from nouns in place of constants. */
  declare readonly terms: readonly Term[];
  /** The last readable value; undefined before the first one. */
  last: Scalar | undefined;
  /** Whether the key and what the condition refers to are not null now. A key that is null decides nothing. */
  isReadable = false;
  /** Whether the condition holds, by the last value. */
  holds = false;
  /** With terms: whether the key is not null now. */
  declare private isOwnReadable: boolean;
  /** The condition with its terms, if it has any. */
  declare private readonly parsed: Term | Operands;

  static {
    Object.assign(KeyCondition.prototype, { terms: noTerms, isOwnReadable: false });
  }

  constructor(noun: string, key: string, condition: Condition) {
    this.noun = noun;
    this.key = key;
    this.condition = condition;
    const isObject = typeof condition === "object" && condition !== null;
    if (!isObject && typeof condition !== "string") return;
    const parsed = isObject
      ? Object.fromEntries(Object.entries(condition).map(([word, value]) => [word, Term.of(value)]))
      : Term.of(condition);
    const operands = isObject ? Object.values(parsed as Operands) : [parsed];
    const terms = operands.filter((one) => one instanceof Term);
    if (terms.length === 0) return;
    this.terms = terms;
    this.parsed = parsed as Term | Operands;
  }

  /** Forgets the values. */
  reset(): void {
    this.last = undefined;
    this.isReadable = false;
    this.holds = false;
    if (this.terms.length > 0) this.isOwnReadable = false;
    for (const term of this.terms) term.value = undefined;
  }

  /** Takes over what an earlier process knew. */
  resume(last: Scalar | undefined, isReadable: boolean, holds: boolean): void {
    this.last = this.condition === null ? last : (last ?? undefined);
    this.isReadable = this.last !== undefined && isReadable;
    if (this.terms.length > 0) this.isOwnReadable = this.isReadable;
    this.holds = this.last !== undefined && holds;
  }

  /** Takes the value of its own key. @returns whether that differs from the last readable one. */
  take(value: Scalar | undefined): boolean {
    const { condition, last, terms } = this;
    const isReadable = condition === null || (value !== undefined && value !== null);
    if (isReadable) this.last = value ?? null;
    if (terms.length > 0) {
      this.isOwnReadable = isReadable;
      this.judge(isReadable);
    } else {
      this.isReadable = isReadable;
      // Most conditions are one value.
      const isObject = typeof condition === "object" && condition !== null;
      if (isReadable) this.holds = isObject ? this.isMet(value ?? null) : (value ?? null) === condition;
    }
    return isReadable && last !== undefined && value !== last;
  }

  /** Takes the state of a noun that it names; undefined for a noun that failed. @returns as `take`. */
  takeFrom(noun: string, state: { readonly [key: string]: Scalar } | undefined): boolean {
    const { terms } = this;
    if (terms.length > 0) {
      for (let index = 0; index < terms.length; index++) terms[index]?.takeFrom(noun, state);
      if (this.noun !== noun) this.judge(this.isOwnReadable);
    }
    return this.noun === noun && this.take(state?.[this.key]);
  }

  /** @returns whether the condition would hold if the key became this value; undefined and null are unreadable. */
  wouldHold(value: Scalar | undefined): boolean {
    const isReadable = this.condition === null || (value !== undefined && value !== null);
    return isReadable && this.isMet(value ?? null);
  }

  /**
   * @param state what a noun that it names is about to become. @param stays whether that noun keeps a key that the
   *   state does not have.
   * @returns whether the condition would hold then.
   */
  wouldHoldWith(noun: string, state: { readonly [key: string]: Scalar }, stays: (key: string) => boolean): boolean {
    const { last, terms, holds } = this;
    const after: { [key: string]: Scalar } = {};
    const change = (of: string, key: string, value: Scalar | undefined) => {
      if (of !== noun) return true;
      const next = Object.hasOwn(state, key) ? state[key] : value;
      if (next !== undefined) after[key] = next;
      return Object.hasOwn(state, key) || stays(key);
    };
    const isKnown = terms.every(({ reference, value }) => change(reference.noun, reference.key, value));
    if (!change(this.noun, this.key, last) || !isKnown) return false;
    const copy = new KeyCondition(this.noun, this.key, this.condition);
    copy.resume(last, this.isOwnReadable, holds);
    for (const [index, { value }] of terms.entries()) (copy.terms[index] as Term).value = value;
    copy.takeFrom(noun, after);
    return copy.isReadable && copy.holds;
  }

  /** The condition with what its terms are now. */
  get resolved(): Condition {
    const { condition, parsed, terms } = this;
    if (terms.length === 0 || terms.some((term) => term.now === undefined)) return condition;
    if (parsed instanceof Term) return parsed.now ?? condition;
    const parts = Object.entries(Object(parsed) as Operands).map(([word, one]) => [word, now(one)] as const);
    return Object.fromEntries(parts) as Condition;
  }

  /** @param isOwnReadable whether its own key is not null now. */
  private judge(isOwnReadable: boolean): void {
    const { terms } = this;
    let isReadable = isOwnReadable;
    for (let index = 0; index < terms.length; index++) isReadable &&= terms[index]?.now !== undefined;
    this.isReadable = isReadable;
    if (isReadable) this.holds = this.isMet(this.last as Scalar);
  }

  private isMet(value: Scalar): boolean {
    const parsed = this.terms.length === 0 ? (this.condition as Scalar | Operands) : this.parsed;
    if (typeof parsed !== "object" || parsed === null) return value === parsed;
    if (parsed instanceof Term) return value === parsed.now;
    if (isChange(this.condition)) return true;
    const above = now(parsed.above);
    const below = now(parsed.below);
    const until = now(parsed.until);
    const begin = above ?? below;
    if (typeof value !== "number" || typeof begin !== "number") return false;
    if (above !== undefined && below !== undefined) return value > begin && value < Number(below);
    // What holds goes on until the other threshold, whichever of both is the larger one.
    const end = typeof until === "number" ? until : begin;
    if (above !== undefined) return value > (this.holds ? Math.min(begin, end) : Math.max(begin, end));
    return value < (this.holds ? Math.max(begin, end) : Math.min(begin, end));
  }
}

/** @returns the conditions as a list, in the order of the configuration; all of them must hold. */
export function conditionsOf(when: When): readonly KeyCondition[] {
  const conditions: KeyCondition[] = [];
  for (const noun of Object.keys(when)) {
    const keys = when[noun] as When[string];
    for (const key of Object.keys(keys)) conditions.push(new KeyCondition(noun, key, keys[key] as Condition));
  }
  return conditions;
}

/** @returns the names of the nouns that conditions wait for, or refer to, each once. */
export function nounsOf(conditions: readonly KeyCondition[]): ReadonlySet<string> {
  const nouns = new Set<string>();
  for (const { noun, terms } of conditions) {
    nouns.add(noun);
    if (terms.length > 0) for (const { reference } of terms) nouns.add(reference.noun);
  }
  return nouns;
}
