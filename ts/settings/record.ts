/** Settings that hold others: objects with declared keys, objects of several kinds, maps with any keys, lists. */

import { nounNamePattern } from "../core/noun/name.ts";
import { didYouMean } from "../core/noun/nearest-word.ts";
import { quote } from "../platform/one-line.ts";
import type { Json, JsonObject } from "./json.ts";
import { entriesOf } from "./json-entries.ts";
import {
  ConfigurationError,
  checked,
  choice,
  converted,
  either,
  isList,
  isObject,
  type JsonSchema,
  keyPath,
  Mistakes,
  mistake,
  refuse,
  type Setting,
  withKeywords,
} from "./setting.ts";

/** A key of a record that may be left out, and then does not appear in the result. */
export interface OptionalKey<T> {
  readonly presence: "optional";
  readonly make: () => Setting<T>;
}

/** A key of a record that may be left out; its value is then `fallback`. */
export interface DefaultedKey<T> {
  readonly presence: "defaulted";
  readonly make: () => Setting<T>;
  readonly fallback: T;
}

/** A key of a record. With a plain setting, the key is required. */
export type RecordKey<T> = Setting<T> | OptionalKey<T> | DefaultedKey<T>;

export type RecordKeys = { readonly [key: string]: RecordKey<unknown> };

type ValueOf<K> = K extends RecordKey<infer T> ? T : never;

type OptionalNames<K extends RecordKeys> = {
  [N in keyof K]: K[N] extends OptionalKey<unknown> ? N : never;
}[keyof K];

/** The type of the object that a record of these keys reads. */
export type RecordOf<K extends RecordKeys> = {
  readonly [N in Exclude<keyof K, OptionalNames<K>>]: ValueOf<K[N]>;
} & { readonly [N in OptionalNames<K>]?: ValueOf<K[N]> };

/**
 * A key that may be left out.
 * @param make makes its setting when the key is given. Every start reads a configuration, and few keys are in it.
 */
export function optional<T>(make: () => Setting<T>): OptionalKey<T> {
  return { presence: "optional", make };
}

/** A key that may be left out. @param make as for `optional`. @param fallback its value then. */
export function withDefault<T>(make: () => Setting<T>, fallback: T): DefaultedKey<T> {
  return { presence: "defaulted", make, fallback };
}

/** The key for a comment, in every object of the configuration that is not a state. */
const commentKey = "$comment";

function readComment(value: Json | undefined, path: string): void {
  if (value !== undefined && typeof value !== "string") {
    refuse(value, keyPath(path, commentKey), "a string");
  }
}

/** @returns the object at this place, its comment checked. */
function readObject(value: Json, path: string, expected: string): JsonObject {
  if (!isObject(value)) {
    return refuse(value, path, expected);
  }
  if (Object.hasOwn(value, commentKey)) {
    readComment(value[commentKey], path);
  }
  return value;
}

/** The key that every object of the configuration may have, except a state. */
const commentSchema = { type: "string", description: "A note for people." };

/** The keywords of an object whose keys are nouns. */
export const namesOfNouns = (): JsonSchema => ({
  propertyNames: { pattern: `${nounNamePattern.source}|^\\$comment$` },
});

/** The keywords of an object that has more than a comment. */
export const moreThanComment = (): JsonSchema => ({
  if: { required: [commentKey] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { minProperties: 2 },
  else: { minProperties: 1 },
});

function keySchema(key: RecordKey<unknown>): JsonSchema {
  if (!("presence" in key)) return key.schema();
  return { ...key.make().schema(), ...(key.presence === "defaulted" && { default: key.fallback }) };
}

function recordSchema(keys: RecordKeys): JsonSchema {
  const entries = Object.entries(keys);
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(entries.map(([name, key]) => [name, keySchema(key)])),
      [commentKey]: commentSchema,
    },
    required: entries.filter(([, key]) => !("presence" in key)).map(([name]) => name),
    additionalProperties: false,
  };
}

/**
 * An object with these keys and no others, `$comment` apart.
 */
export function record<K extends RecordKeys>(keys: K): Setting<RecordOf<K>> {
  const expected = "an object";
  const names = Object.keys(keys);
  /** Those that are in the result, whether they are given or not. */
  const needed = names.filter((name) => {
    const key = keys[name] as RecordKey<unknown>;
    return !("presence" in key) || key.presence === "defaulted";
  });
  /** The keys that were given before, with what is behind the path of the record. */
  const made = new Map<string, { readonly setting: Setting<unknown>; readonly place: string }>();
  return {
    expected,
    schema: () => recordSchema(keys),
    read(value, path) {
      const given = readObject(value, path, expected);
      const read: { [key: string]: unknown } = {};
      let unknown: string[] | undefined;
      let refused: Map<string, ConfigurationError> | undefined;
      // A kind of nouns has some dozen keys, of which few are given.
      for (const name of Object.keys(given)) {
        const value = given[name];
        let key = made.get(name);
        if (key === undefined) {
          if (!Object.hasOwn(keys, name)) {
            if (name === commentKey) continue;
            unknown ??= [];
            unknown.push(name);
            continue;
          }
          const declared = keys[name] as RecordKey<unknown>;
          key = { setting: "presence" in declared ? declared.make() : declared, place: keyPath("", name) };
          made.set(name, key);
        }
        if (value === undefined) continue;
        let result: unknown;
        try {
          result = key.setting.read(value, path + key.place);
        } catch (error) {
          if (!(error instanceof ConfigurationError)) throw error;
          refused ??= new Map();
          refused.set(name, error);
          result = error.rest;
        }
        if (result !== undefined) read[name] = result;
      }
      let isWhole = true;
      for (const name of needed) {
        if (read[name] !== undefined) continue;
        const key = keys[name] as RecordKey<unknown>;
        if ("presence" in key) read[name] = (key as DefaultedKey<unknown>).fallback;
        else {
          isWhole = false;
          if (refused?.has(name)) continue;
          refused ??= new Map();
          refused.set(name, mistake(keyPath(path, name), `expected ${key.expected}, found nothing`));
        }
      }
      // The compiler cannot follow the types of keys through a loop. Each value was read by the setting that has its
      // type.
      const whole = isWhole ? (read as RecordOf<K>) : undefined;
      if (whole !== undefined && unknown === undefined && refused === undefined) return whole;
      const mistakes = new Mistakes();
      for (const name of unknown ?? []) mistakes.add(keyPath(path, name), unknownKey(name, names));
      // Told in the order in which the keys are declared, which is the same for every configuration.
      if (refused !== undefined) for (const name of names) if (refused.has(name)) mistakes.takeFrom(refused.get(name));
      return mistakes.finish(whole);
    },
  };
}

/** @returns the sentence about a key that a record does not have. */
function unknownKey(name: string, keys: readonly string[]): string {
  return `unknown key; the keys known here are ${keys.map((key) => quote(key)).join(", ")}${didYouMean(name, keys)}`;
}

/**
 * An object of one of several kinds. The key `tag` names the kind, and the kind determines the other keys.
 * @param kinds makes the setting of a kind when it is needed. The setting reads the whole object, `tag` included.
 */
export function variant<T>(tag: string, kinds: { readonly [kind: string]: () => Setting<T> }): Setting<T> {
  const expected = `an object with the key ${quote(tag)}`;
  const kind = choice(...Object.keys(kinds));
  const made = new Map<string, Setting<T>>();
  return {
    expected,
    schema: () => ({
      type: "object",
      required: [tag],
      properties: { [tag]: kind.schema() },
      allOf: Object.entries(kinds).map(([name, make]) => ({
        if: { required: [tag], properties: { [tag]: { const: name } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: make().schema(),
      })),
    }),
    read(value, path) {
      const given = readObject(value, path, expected);
      const named = Object.hasOwn(given, tag) ? given[tag] : undefined;
      if (named === undefined) {
        throw mistake(keyPath(path, tag), `expected ${kind.expected}, found nothing`);
      }
      let setting = typeof named === "string" ? made.get(named) : undefined;
      if (setting === undefined) {
        const name = kind.read(named, keyPath(path, tag));
        // The choice accepts exactly the keys of `kinds`.
        setting = (kinds[name] as () => Setting<T>)();
        made.set(name, setting);
      }
      return setting.read(value, path);
    },
  };
}

/** An object with any keys except `$comment` and values of one setting, as a list of pairs in the text's order. */
export function mapOf<T>(setting: Setting<T>, expected = "an object"): Setting<readonly (readonly [string, T])[]> {
  return {
    expected,
    schema: () => ({
      type: "object",
      properties: { [commentKey]: commentSchema },
      additionalProperties: setting.schema(),
    }),
    read(value, path) {
      const mistakes = new Mistakes();
      const pairs: (readonly [string, T])[] = [];
      const entries = entriesOf(readObject(value, path, expected));
      for (let index = 0; index < entries.length; index++) {
        const entry = entries[index] as readonly [string, Json];
        const name = entry[0];
        if (name === commentKey) continue;
        const read = mistakes.read(setting, entry[1], keyPath(path, name));
        if (read !== undefined) pairs.push([name, read]);
      }
      return mistakes.finish(pairs);
    },
  };
}

/** Like `mapOf`, but the result is an object. */
export function objectOf<T>(setting: Setting<T>): Setting<{ readonly [key: string]: T }> {
  return converted(mapOf(setting), (pairs) => Object.fromEntries(pairs));
}

/** A list that is not empty. */
export function listOf<T>(setting: Setting<T>): Setting<readonly T[]> {
  const expected = "a list that is not empty";
  return {
    expected,
    schema: () => ({ type: "array", minItems: 1, items: setting.schema() }),
    read(value, path) {
      if (!isList(value) || value.length === 0) return refuse(value, path, expected);
      const mistakes = new Mistakes();
      const items = value.map((item, index) => mistakes.read(setting, item, `${path}[${index}]`));
      return mistakes.finish(items.filter((item) => item !== undefined) as T[]);
    },
  };
}

/** A list that is not empty and has at most so many items. @param what the items are, for people. */
export function listOfAtMost<T>(most: number, what: string, setting: Setting<T>): Setting<readonly T[]> {
  const list = checked(listOf(setting), (read, path, value) => {
    if (read.length > most) refuse(value, path, `at most ${most} ${what}`);
  });
  return withKeywords(list, () => ({ maxItems: most }));
}

/** One value, or a list of them that is not empty. */
export function oneOrMore<T>(setting: Setting<T>, list = listOf(setting)): Setting<readonly T[]> {
  const single = converted(setting, (one): readonly T[] => [one]);
  return either(`${setting.expected}, or a list of such`, single, list, (value) => !isList(value));
}
