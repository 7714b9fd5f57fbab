/**
 * Values that are read from nouns, where a constant could stand: `$knob.percent * 0.4 + 10` as a whole value, and
 * `${cellar.celsius}` inside a text.
 */
import type { Scalar } from "./state.ts";

/** A value that a noun has: the number of a key, times a factor, plus a summand; or any other value as it is. */
export interface Reference {
  /** The noun's name in lower case. */
  readonly noun: string;
  readonly key: string;
  readonly factor: number;
  readonly summand: number;
}

const noun = "([A-Za-z0-9._~-]{1,64})";
const number = "[0-9]{1,9}(?:\\.[0-9]{1,9})?";

/** The noun's name may have dots. A key may have a hyphen, so the minus of a summand stands between spaces. */
export const referencePattern = new RegExp(
  `^\\$${noun}\\.([^.*+]*?[^.*+\\s])(?:\\s*\\*\\s*(-?${number}))?(?:(\\s*\\+\\s*|\\s+-\\s+)(${number}))?$`,
);

const inText = new RegExp(`\\$\\{${noun}\\.([^.{}]+)\\}`, "g");

/** @returns the reference that a whole text is; undefined for any other value. */
export function referenceIn(value: unknown): Reference | undefined {
  if (typeof value !== "string" || !value.startsWith("$")) return undefined;
  const [, noun, key, factor = "1", sign = "+", summand = "0"] = referencePattern.exec(value) ?? [];
  if (noun === undefined || key === undefined) return undefined;
  const added = sign.includes("-") ? -Number(summand) : Number(summand);
  return { noun: noun.toLowerCase(), key, factor: Number(factor), summand: added };
}

/** Whether a reference is a number that is computed. */
export function isComputed({ factor, summand }: Reference): boolean {
  return factor !== 1 || summand !== 0;
}

/** @returns all references of a value, in the order of its text. */
export function referencesIn(value: Scalar): readonly Reference[] {
  if (typeof value !== "string" || !value.includes("$")) return [];
  const whole = referenceIn(value);
  if (whole !== undefined) return [whole];
  return Array.from(value.matchAll(inText), ([, noun = "", key = ""]) => ({
    noun: noun.toLowerCase(),
    key,
    factor: 1,
    summand: 0,
  }));
}

/** @param value that the noun has. @returns what a reference stands for; undefined while that cannot be read. */
export function resolve(reference: Reference, value: Scalar | undefined): Scalar | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isComputed(reference)) return value;
  if (typeof value !== "number") return undefined;
  // Without the last digits, which binary fractions make up.
  return Number((value * reference.factor + reference.summand).toPrecision(12));
}

/**
 * @param read gives what the noun of a reference has; undefined or null while it cannot be read.
 * @returns a value with its references resolved; undefined if it is one that cannot be read. A text is always known.
 */
export function fill(value: Scalar, read: (reference: Reference) => Scalar | undefined): Scalar | undefined {
  if (typeof value !== "string" || !value.includes("$")) return value;
  const whole = referenceIn(value);
  if (whole !== undefined) return resolve(whole, read(whole));
  return value.replace(inText, (text) => {
    const [reference] = referencesIn(text);
    return String((reference && read(reference)) ?? "unknown");
  });
}

/** A reference that is followed. */
export class Term {
  readonly text: string;
  readonly reference: Reference;
  /** What the noun has; undefined before the first reading. */
  value: Scalar | undefined;

  constructor(text: string, reference: Reference) {
    this.text = text;
    this.reference = reference;
  }

  /** @returns the term of a text that is a reference; any other value as it is. */
  static of<T>(value: T): T | Term {
    const reference = referenceIn(value);
    return reference === undefined ? value : new Term(String(value), reference);
  }

  /** What it stands for now; undefined while that cannot be read. */
  get now(): Scalar | undefined {
    return resolve(this.reference, this.value);
  }

  /** Takes the state of a noun, which may be another one; undefined for a noun that failed. */
  takeFrom(noun: string, state: { readonly [key: string]: Scalar } | undefined): void {
    if (this.reference.noun === noun) this.value = state?.[this.reference.key];
  }
}
