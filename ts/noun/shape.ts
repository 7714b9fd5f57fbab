/**
 * A shape declares once what a noun's state looks like: its keys, their types and their ranges. The TypeScript type of the
 * state and the run-time check both come from that declaration. A shape is data, so that it can also be described to machines.
 *
 *     const shape = { level: { type: "integer", minimum: 0, maximum: 100 } } as const satisfies Shape;
 *     type Level = StateOf<typeof shape>; // { readonly level: number }
 */
import type { Scalar, State } from "./state.ts";
import { StateError } from "./state-error.ts";

/** What every key's declaration may say. */
interface AnyKey {
  /** One sentence for people and machine-readable descriptions. */
  readonly description?: string;
  /** True when a state may leave the key out. */
  readonly optional?: true;
}

/** A whole number or any finite number, within bounds (inclusive) where they are given. */
export interface NumberKey extends AnyKey {
  readonly type: "integer" | "number";
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A string, of at most `maximumLength` UTF-16 units where that is given. */
export interface StringKey extends AnyKey {
  readonly type: "string";
  readonly maximumLength?: number;
}

/** true or false. */
export interface BooleanKey extends AnyKey {
  readonly type: "boolean";
}

/** One of the listed values. */
export interface ChoiceKey extends AnyKey {
  readonly type: "choice";
  readonly values: readonly Scalar[];
}

/** What one key may hold. */
export type Key = NumberKey | StringKey | BooleanKey | ChoiceKey;

/** The keys of a state. A key that is not declared is refused. */
export type Shape = { readonly [key: string]: Key };

type ScalarOf<K extends Key> = K extends NumberKey
  ? number
  : K extends StringKey
    ? string
    : K extends BooleanKey
      ? boolean
      : K extends ChoiceKey
        ? K["values"][number]
        : never;

type OptionalKeys<S extends Shape> = { [K in keyof S]: S[K]["optional"] extends true ? K : never }[keyof S];

/** The TypeScript type of a state of this shape. */
export type StateOf<S extends Shape> = {
  readonly [K in Exclude<keyof S, OptionalKeys<S>> & string]: ScalarOf<S[K]>;
} & { readonly [K in OptionalKeys<S> & string]?: ScalarOf<S[K]> };
