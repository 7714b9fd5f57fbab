/**
 * A shape declares once what a noun's state looks like: its keys, their types and their ranges. The TypeScript type of
 * the state and the run-time check both come from that declaration. A shape is data, so that it can also be described
 * to machines.
 *
 *     const shape = { level: { type: "integer", minimum: 0, maximum: 100 } } as const satisfies Shape;
 *     type Level = StateOf<typeof shape>; // { readonly level: number }
 */
import type { HomeAssistantEntity } from "./home-assistant.ts";
import type { Scalar, State } from "./state.ts";
import { StateError } from "./state-error.ts";

/**
 * The description of a key for people and machines. It does not change any check.
 *
 * @example
 * const level: KeyDescription = { title: "Water level", unit: "cm" };
 * server.register("tank", sensorNoun({ device: "ads1115", channel: "voltage0", key: "level", keys: { level } }));
 */
export interface KeyDescription {
  /** A few words: the key's name for people. */
  readonly title?: string;
  /** One sentence for people and machine-readable descriptions. */
  readonly description?: string;
  /** The unit of the value: a UCUM symbol (`Cel`, `%`, `mV`, `Hz`, `s`) or any other short one. */
  readonly unit?: string;
  /**
   * For a number: the smallest difference that matters to people. Home Assistant shows the value with so many decimals,
   * and sets it in such steps.
   */
  readonly step?: number;
  /** By value, the word that people read in its place: `{ "0": "closed", "1": "open" }`. */
  readonly labels?: { readonly [value: string]: string };
  /** A device class of Home Assistant: `door`, `motion`, `humidity`. It also gives the page its words. */
  readonly deviceClass?: string;
  /** True for a value that helps to find a fault: the page folds it, Home Assistant hides such a counter. */
  readonly diagnostic?: boolean;
  /** For a number: the part of a coloured light that it sets. */
  readonly colour?: "red" | "green" | "blue";
  /** What Home Assistant is told about the key beside its declaration. */
  readonly homeAssistant?: HomeAssistantEntity;
}

/**
 * The options of every key's declaration.
 *
 * @example
 * const celsius: AnyKey = { title: "Room", description: "The room's temperature.", unit: "Cel", readOnly: true };
 */
export interface AnyKey extends KeyDescription {
  /** True when a state may leave the key out. */
  readonly optional?: true;
  /** True if the key may also be null: for a missing measurement, for instance. */
  readonly nullable?: true;
  /** True if only the noun sets the key, such as a measurement. GET shows it; requests must not contain it. */
  readonly readOnly?: true;
  /**
   * True if the key changes with time alone, such as the age of a measurement. Such a change alone sends no event to
   * watching clients.
   */
  readonly timeDependent?: true;
  /**
   * For a number that only grows until it is reset. `total` is an amount; with `events`, each step is something that
   * happened, such as a press, of which a broker is told.
   */
  readonly counts?: "total" | "events";
  /**
   * For a key that returns by itself: to which value, and after how many ms. With `renewed`, each setting begins the
   * time again.
   */
  readonly fallsBack?: { readonly to: Scalar; readonly after: number; readonly renewed: boolean };
}

/**
 * A whole number or any finite number, within inclusive bounds, if there are any.
 *
 * @example
 * const level: NumberKey = { type: "integer", minimum: 0, maximum: 100 };
 */
export interface NumberKey extends AnyKey {
  /** `integer` for whole numbers only. */
  readonly type: "integer" | "number";
  /** The smallest value; none if left out. */
  readonly minimum?: number;
  /** The largest value; none if left out. */
  readonly maximum?: number;
}

/**
 * A string, of at most `maximumLength` UTF-16 units, if there is such a bound.
 *
 * @example
 * const text: StringKey = { type: "string", maximumLength: 80 };
 */
export interface StringKey extends AnyKey {
  /** A string. */
  readonly type: "string";
  /** The largest length in UTF-16 units. If left out, only the size of the body limits a string. */
  readonly maximumLength?: number;
  /** A time of day, `06:30`; with `sun` also one of the sun, such as `sunset+00:30`. */
  readonly format?: "time" | "sun";
}

/**
 * true or false.
 *
 * @example
 * const enabled: BooleanKey = { type: "boolean", optional: true };
 */
export interface BooleanKey extends AnyKey {
  /** A truth value. */
  readonly type: "boolean";
}

/**
 * One of the listed values.
 *
 * @example
 * const mode: ChoiceKey = { type: "choice", values: ["auto", "manual"] };
 */
export interface ChoiceKey extends AnyKey {
  /** One of a few values. */
  readonly type: "choice";
  /** The possible values. */
  readonly values: readonly Scalar[];
}

/**
 * The declaration of one key: the values that it may have.
 *
 * @example
 * const key: Key = { type: "number", minimum: 5, maximum: 30 };
 */
export type Key = NumberKey | StringKey | BooleanKey | ChoiceKey;

/**
 * The keys of a state. A key that is not declared is refused.
 *
 * @example
 * const shape = {
 *   target: { type: "number", minimum: 5, maximum: 30 },
 *   celsius: { type: "number", readOnly: true },
 * } as const satisfies Shape;
 */
export type Shape = { readonly [key: string]: Key };

type ValueOf<K extends Key> = K extends NumberKey
  ? number
  : K extends StringKey
    ? string
    : K extends BooleanKey
      ? boolean
      : K extends ChoiceKey
        ? K["values"][number]
        : never;

type OptionalKeys<S extends Shape> = { [K in keyof S]: S[K]["optional"] extends true ? K : never }[keyof S];

type ReadOnlyKeys<S extends Shape> = { [K in keyof S]: S[K]["readOnly"] extends true ? K : never }[keyof S];

/** The same type, which an editor shows with its keys and values instead of its name. */
type Spelt<T> = { readonly [K in keyof T]: T[K] } & {};

/**
 * The TypeScript type of a state of this shape, as GET shows it.
 *
 * @example
 * const shape = { level: { type: "integer" } } as const satisfies Shape;
 * const state: StateOf<typeof shape> = { level: 30 };
 */
export type StateOf<S extends Shape> = Spelt<
  {
    [K in Exclude<keyof S, OptionalKeys<S>> & string]: S[K]["nullable"] extends true
      ? ValueOf<S[K]> | null
      : ValueOf<S[K]>;
  } & { [K in OptionalKeys<S> & string]?: S[K]["nullable"] extends true ? ValueOf<S[K]> | null : ValueOf<S[K]> }
>;

/**
 * The TypeScript type of the state in a PUT: a state without the keys that are read-only.
 *
 * @example
 * const shape = { target: { type: "number" }, celsius: { type: "number", readOnly: true } } as const satisfies Shape;
 * const desired: DesiredOf<typeof shape> = { target: 20.5 };
 */
export type DesiredOf<S extends Shape> = Spelt<Omit<StateOf<S>, ReadOnlyKeys<S>>>;

/**
 * The TypeScript type of the state in a POST: some of the keys of a PUT.
 *
 * @example
 * const shape = { target: { type: "number" }, mode: { type: "choice", values: ["auto", "manual"] } } as const satisfies
 * Shape; const change: ChangeOf<typeof shape> = { mode: "auto" };
 */
export type ChangeOf<S extends Shape> = Spelt<Partial<DesiredOf<S>>>;

/** @returns whether a text is a time of day; with `sun`, that of the sun, which may have bounds. */
export function isTime(text: string, format: "time" | "sun"): boolean {
  const clock = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";
  const sun = `(?:dawn|sunrise|sunset|dusk)(?:[+-]${clock})?(?:>${clock})?(?:<${clock})?`;
  return new RegExp(`^(?:${clock}${format === "sun" ? `|${sun}` : ""})$`).test(text);
}

function describeRange(key: NumberKey): string {
  const kind = key.type === "integer" ? "a whole number" : "a number";
  if (key.minimum !== undefined && key.maximum !== undefined) return `${kind} from ${key.minimum} to ${key.maximum}`;
  if (key.minimum !== undefined) return `${kind} of at least ${key.minimum}`;
  if (key.maximum !== undefined) return `${kind} of at most ${key.maximum}`;
  return kind;
}

/**
 * @param key the declaration of one key.
 * @returns what it accepts, as the end of a sentence: `a whole number from 0 to 100`.
 */
export function describeKey(key: Key): string {
  return key.nullable === true ? `${describeValue(key)} or null` : describeValue(key);
}

function describeValue(key: Key): string {
  switch (key.type) {
    case "integer":
    case "number":
      return describeRange(key);
    case "string":
      if (key.format === "time") return "a time of day such as 06:30";
      if (key.format === "sun") return "a time of day such as 06:30 or sunset+00:30";
      return key.maximumLength === undefined ? "a string" : `a string of at most ${key.maximumLength} characters`;
    case "boolean":
      return "true or false";
    case "choice":
      return key.values.map((value) => JSON.stringify(value)).join(" or ");
  }
}

/** @returns whether a key may have a value, if only the noun itself sets it too. */
export function accepts(key: Key, value: Scalar): boolean {
  if (value === null && key.nullable === true) return true;
  switch (key.type) {
    case "integer":
    case "number":
      return (
        typeof value === "number" &&
        (key.type === "number" || Number.isSafeInteger(value)) &&
        value >= (key.minimum ?? Number.NEGATIVE_INFINITY) &&
        value <= (key.maximum ?? Number.POSITIVE_INFINITY)
      );
    case "string":
      return (
        typeof value === "string" &&
        value.length <= (key.maximumLength ?? Number.POSITIVE_INFINITY) &&
        (key.format === undefined || isTime(value, key.format))
      );
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return key.values.includes(value);
  }
}

/** @returns the keys of a shape as a clause: `it has "lamp"`. */
export function listKeys(shape: Shape): string {
  const names = Object.keys(shape).map((name) => JSON.stringify(name));
  return names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
}

/**
 * Checks a request's state against a shape: every key is declared and not read-only, every value fits its declaration,
 * and no key is missing.
 * @throws StateError with the wrong key and a sentence that says what the key accepts.
 */
export function checkState(shape: Shape, state: State): void {
  // By index, because an iterator costs more than the check of a key.
  const keys = Object.keys(state);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const declared = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (declared === undefined) {
      // An undeclared name consists of the client's bytes, and no answer repeats those.
      throw new StateError(`The state has a key that this noun does not have; ${listKeys(shape)}.`, key);
    }
    if (declared.readOnly === true) {
      throw new StateError(`The key ${JSON.stringify(key)} is read-only; leave it out.`, key);
    }
    if (!accepts(declared, state[key] as Scalar)) {
      throw new StateError(`The value of ${JSON.stringify(key)} must be ${describeKey(declared)}.`, key);
    }
  }
  const declaredKeys = Object.keys(shape);
  if (declaredKeys.length === keys.length) return; // each is declared, so none is missing
  for (const key of declaredKeys) {
    const { optional, readOnly } = shape[key] as Key;
    if (optional !== true && readOnly !== true && !Object.hasOwn(state, key)) {
      throw new StateError(
        `The key ${JSON.stringify(key)} is missing; it takes ${describeKey(shape[key] as Key)}.`,
        key,
      );
    }
  }
}

/**
 * @param shape the shape of a whole state.
 * @returns the shape of a change to it: the same keys, each of which may be left out.
 */
export function partialShape(shape: Shape): Shape {
  return Object.fromEntries(Object.entries(shape).map(([key, declared]) => [key, { ...declared, optional: true }]));
}
