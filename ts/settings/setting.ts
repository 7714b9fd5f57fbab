/**
 * A setting says which values one place of the configuration may have: in words for people, as a type for the compiler,
 * and as a check of the value. Larger settings are made of smaller ones.
 *
 *     const lamp = record({ key: text(), brightness: withDefault(() => integer({ minimum: 0, maximum: 100 }), 100) });
 *     lamp.read({ key: "lamp" }, "$.lamp"); // { key: "lamp", brightness: 100 }
 *     lamp.read({ key: 7 }, "$.lamp"); // ConfigurationError: $.lamp.key: expected a string, found 7
 */

import { didYouMean } from "../core/noun/nearest-word.ts";
import { pollRange } from "../core/noun/noun.ts";
import type { Scalar, State } from "../core/noun/state.ts";
import { quote } from "../platform/one-line.ts";
import type { Json, JsonObject } from "./json.ts";
import { mostMistakes } from "./most-mistakes.ts";

/** A configuration that is refused. The message has a line for each mistake. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  /** A sentence for each mistake. It begins with the JSON path of the wrong value. */
  readonly mistakes: readonly string[];
  /** What was read in spite of the mistakes, to be checked too; undefined if too little of it is left. */
  readonly rest: unknown;

  constructor(mistakes: readonly string[], rest?: unknown) {
    super(mistakes.join("\n"));
    this.mistakes = mistakes;
    this.rest = rest;
  }
}

/** @returns the mistakes of an error; undefined of any error but a ConfigurationError. */
export function mistakesOf(error: unknown): readonly string[] | undefined {
  return error instanceof ConfigurationError ? error.mistakes : undefined;
}

/**
 * @param path the place of the wrong value: `$.nouns.led.key`.
 * @param sentence what was expected there, and what was found.
 * @returns the error of one mistake.
 */
export function mistake(path: string, sentence: string): ConfigurationError {
  return new ConfigurationError([`${path}: ${sentence}`]);
}

const noSentences: readonly string[] = [];

/** Collects the mistakes of several places, so that a person sees all of them at once. */
export class Mistakes {
  private sentences = noSentences;

  get count(): number {
    return this.sentences.length;
  }

  /** @throws ConfigurationError when the mistakes are too many to go on. */
  add(path: string, sentence: string): void {
    this.take([`${path}: ${sentence}`]);
  }

  /**
   * @returns what `read` returns; if that is refused, what was read in spite of it, or undefined.
   * @throws as `add`; any other error of `read`.
   */
  attempt<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      return this.takeFrom<T>(error);
    }
  }

  /** As `attempt`, of a setting: without a function for each value of a configuration. */
  read<T>(setting: Setting<T>, value: Json, path: string): T | undefined {
    try {
      return setting.read(value, path);
    } catch (error) {
      return this.takeFrom<T>(error);
    }
  }

  /** @returns the rest of what was refused. @throws as `add`; any other error than a refusal. */
  takeFrom<T>(error: unknown): T | undefined {
    if (!(error instanceof ConfigurationError)) throw error;
    this.take(error.mistakes);
    // Each setting gives a rest of the type that it reads.
    return error.rest as T | undefined;
  }

  /** @returns the value, if there is no mistake. @throws ConfigurationError with the value as its rest. */
  finish<T>(value: T | undefined): T {
    if (this.sentences.length > 0) throw new ConfigurationError(this.sentences, value);
    return value as T;
  }

  private take(sentences: readonly string[]): void {
    this.sentences = [...this.sentences, ...sentences];
    if (this.sentences.length > mostMistakes) throw new ConfigurationError(this.sentences);
  }
}

/** The JSON Schema (draft-07) of one place, by which an editor completes and marks. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The setting of one place of the configuration. */
export interface Setting<T> {
  /** The expected value, as it follows the word "expected" in a message: `a string`. */
  readonly expected: string;
  /** @returns the schema for an editor. It refuses what `read` refuses, as far as it can be seen in one place. */
  schema(): JsonSchema;
  /**
   * @param path the place the value is at, for the error.
   * @returns the value, with defaults filled in.
   * @throws ConfigurationError with a sentence for each mistake, and a rest of the type `T` or none.
   */
  read(value: Json, path: string): T;
}

/**
 * A setting whose value another one reads.
 * @param convert makes the value of what was read. It may refuse it.
 */
export function converted<T, U>(setting: Setting<T>, convert: (read: T, path: string, value: Json) => U): Setting<U> {
  return {
    ...setting,
    read(value, path) {
      let read: T;
      try {
        read = setting.read(value, path);
      } catch (error) {
        const mistakes = new Mistakes();
        const rest = mistakes.takeFrom<T>(error);
        return mistakes.finish(rest === undefined ? undefined : mistakes.attempt(() => convert(rest, path, value)));
      }
      return convert(read, path, value);
    },
  };
}

/** @param check refuses values of a setting. It does not get a rest, which lacks what was refused. */
export function checked<T>(setting: Setting<T>, check: (read: T, path: string, value: Json) => void): Setting<T> {
  return {
    ...setting,
    read(value, path) {
      const read = setting.read(value, path);
      check(read, path, value);
      return read;
    },
  };
}

/** Bounds of a number, inclusive. */
export interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One of two forms of a value. @param isFirst tells them apart. */
export function either<T, U>(
  expected: string,
  first: Setting<T>,
  second: Setting<U>,
  isFirst: (value: Json) => boolean,
): Setting<T | U> {
  return {
    expected,
    schema: () => ({ anyOf: [first.schema(), second.schema()] }),
    read: (value, path) => (isFirst(value) ? first : second).read(value, path),
  };
}

/** @param more keywords of the schema for what `read` refuses too. */
export function withKeywords<T>(setting: Setting<T>, more: () => JsonSchema): Setting<T> {
  return { ...setting, schema: () => ({ ...setting.schema(), ...more() }) };
}

/** A key that a path has without quotes. */
const plainKey = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** @returns the path of a key: `$.nouns.led`, `$.nouns["my led"]`; of an item of a list: `$.listen[0]`. */
export function keyPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  return plainKey.test(key) ? `${path}.${key}` : `${path}[${quote(key)}]`;
}

/** @returns a value in the words of an error message, short and on one line. */
export function found(value: Json): string {
  if (isList(value)) {
    return value.length === 0 ? "an empty list" : "a list";
  }
  if (typeof value === "object" && value !== null) {
    return "an object";
  }
  const whole = Array.from(typeof value === "string" ? value : String(value));
  const shown = whole.length > 40 ? `${whole.slice(0, 40).join("")}...` : whole.join("");
  return typeof value === "string" ? quote(shown) : shown;
}

/** Narrows a JSON value to a list. `Array.isArray` does not narrow to read-only arrays. */
export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Narrows a JSON value to an object. A list is not an object here. */
export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value);
}

/** Refuses a value in the usual words. @throws ConfigurationError always. */
export function refuse(value: Json, path: string, expected: string): never {
  throw mistake(path, `expected ${expected}, found ${found(value)}`);
}

function scalarSetting<T extends Scalar>(
  expected: string,
  accepts: (value: Json) => boolean,
  schema: () => JsonSchema,
): Setting<T> {
  return {
    expected,
    schema,
    read: (value, path) => (accepts(value) ? (value as T) : refuse(value, path, expected)),
  };
}

function withBounds(what: string, { minimum, maximum }: Bounds): string {
  if (minimum !== undefined && maximum !== undefined) {
    return `${what} from ${minimum} to ${maximum}`;
  }
  const bound =
    minimum !== undefined ? ` of at least ${minimum}` : maximum !== undefined ? ` of at most ${maximum}` : "";
  return what + bound;
}

function isWithin(value: Json, { minimum = -Infinity, maximum = Infinity }: Bounds): boolean {
  return typeof value === "number" && value >= minimum && value <= maximum;
}

/** A whole number within bounds. */
export function integer(bounds: Bounds = {}): Setting<number> {
  return scalarSetting(
    withBounds("a whole number", bounds),
    (value) => Number.isSafeInteger(value) && isWithin(value, bounds),
    () => ({ type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...bounds }),
  );
}

export function number(bounds: Bounds = {}): Setting<number> {
  return scalarSetting(
    withBounds("a number", bounds),
    (value) => isWithin(value, bounds),
    () => ({ type: "number", ...bounds }),
  );
}

/** A number to multiply by. 0 would lose what is multiplied. */
export function factor(): Setting<number> {
  return scalarSetting(
    "a number other than 0",
    (value) => isWithin(value, {}) && value !== 0,
    () => ({ type: "number", not: { const: 0 } }),
  );
}

/** A number above 0. */
export function positive(): Setting<number> {
  return scalarSetting(
    "a number above 0",
    (value) => isWithin(value, {}) && Number(value) > 0,
    () => ({ type: "number", exclusiveMinimum: 0 }),
  );
}

/** true or false. */
export function boolean(): Setting<boolean> {
  return scalarSetting(
    "true or false",
    (value) => typeof value === "boolean",
    () => ({ type: "boolean" }),
  );
}

/** Any string, the empty one too. */
export function text(): Setting<string> {
  return scalarSetting(
    "a string",
    (value) => typeof value === "string",
    () => ({ type: "string" }),
  );
}

export function nonEmptyText(): Setting<string> {
  return scalarSetting(
    "a string that is not empty",
    (value) => typeof value === "string" && value !== "",
    () => ({ type: "string", minLength: 1 }),
  );
}

/** A name. People write a number without quotes. @param meant makes a sentence of it. */
export function nameNotNumber(meant: (number: number) => string, name = nonEmptyText()): Setting<string> {
  return {
    ...name,
    read(value, path) {
      if (typeof value !== "number") return name.read(value, path);
      throw mistake(path, meant(value));
    },
  };
}

/** A name in the system, such as a user's. @param example a number. */
export function systemName(what: string, example: number, name?: Setting<string>): Setting<string> {
  const expected = `the name of a ${what}, or its number in quotes, such as "${example}"`;
  return nameNotNumber((number) => `expected ${expected}, found ${number}`, name);
}

/** A string that matches a pattern. @param expected the pattern in words. */
export function textOf(pattern: RegExp, expected: string): Setting<string> {
  return textThat((text) => pattern.test(text), expected, pattern);
}

/**
 * A string that a function checks.
 * @param expected what it accepts, in words.
 * @param pattern the check of an editor. It must match every string that the function accepts.
 */
export function textThat(accepts: (text: string) => boolean, expected: string, pattern: RegExp): Setting<string> {
  return scalarSetting(
    expected,
    (value) => typeof value === "string" && accepts(value),
    () => ({ type: "string", pattern: pattern.source }),
  );
}

/** The absolute path of a file or folder. A relative path would depend on where the program is started. */
export function absolutePath(): Setting<string> {
  return textOf(/^\/[^\0]*$/, "a path that begins with /");
}

/** One of the given values, as JSON writes them. */
export function choice<const V extends readonly Scalar[]>(...values: V): Setting<V[number]> {
  return {
    // Made only when it is read: writing JSON is expensive, and every start makes many of these settings.
    get expected() {
      const listed = values.map((value) => JSON.stringify(value)).join(", ");
      return values.length > 1 ? `one of ${listed}` : listed;
    },
    schema: () => ({ enum: values }),
    read(value, path) {
      if (values.some((one) => one === value)) return value as V[number];
      const known = values.filter((one) => typeof one === "string");
      const suggestion = typeof value === "string" ? didYouMean(value, known) : "";
      throw mistake(path, `expected ${this.expected}, found ${found(value)}${suggestion}`);
    },
  };
}

/** The value of a key of a state. */
export function scalar(): Setting<Scalar> {
  return scalarSetting(
    "a string, a number, true, false or null",
    (value) => !isObject(value) && !isList(value),
    () => ({ type: ["string", "number", "boolean", "null"] }),
  );
}

/** Whether no value of an object is a list or an object. */
function isState(value: JsonObject): value is State {
  for (const name of Object.keys(value)) {
    const inner = value[name];
    if (typeof inner === "object" && inner !== null) return false;
  }
  return true;
}

/** A flat object of scalars. */
export function state(): Setting<State> {
  const expected = "an object of strings, numbers, true, false and null";
  const key = scalar();
  return {
    expected,
    schema: () => ({ type: "object", additionalProperties: key.schema() }),
    read(value, path) {
      if (!isObject(value)) return refuse(value, path, expected);
      if (isState(value)) return value;
      const mistakes = new Mistakes();
      const entries = Object.entries(value).map(([name, inner]): [string, Scalar | undefined] => [
        name,
        mistakes.read(key, inner, keyPath(path, name)),
      ]);
      return mistakes.finish(Object.fromEntries(entries.filter(([, read]) => read !== undefined)) as State);
    },
  };
}

/** A device's folder name. @param example a name to show in the error message. */
export function deviceName(example: string): Setting<string> {
  const expected = `a device's name such as ${example}, of letters, digits and : . _ - @ ,`;
  return textOf(/^(?!\.)[A-Za-z0-9:._@,-]{1,64}$/, expected);
}

/** A device's folder name, or its path below /sys. */
export function deviceOrPath(expected: string): Setting<string> {
  return textOf(/^(?:(?!\.)[A-Za-z0-9:._@,-]{1,64}|(?=.{5,1024}$)\/sys(\/(?!\.{1,2}(\/|$))[^/\0]+)+)$/, expected);
}

/** ms between two readings of a noun while somebody watches it. */
export function pollTime(): Setting<number> {
  return integer(pollRange);
}
