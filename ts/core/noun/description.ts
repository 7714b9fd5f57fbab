/**
 * The description of a noun for people and machines, and how the user of a ready-made noun extends it.
 *
 *     describeNoun(new SwitchNoun({ key: "lamp" }), { title: "Lamp", keys: { lamp: { title: "Lit" } } });
 */
import type { When } from "./condition.ts";
import type { HomeAssistantOptions } from "./home-assistant.ts";
import type { Noun } from "./noun.ts";
import { describeKey, type Key, type KeyDescription, listKeys, type Shape } from "./shape.ts";

/**
 * The title and descriptions of a ready-made noun.
 *
 * @example
 * const hall: NounDescription = { title: "Hall light", description: "The lamp above the stairs." };
 * server.register("hall", gpioOutputNoun({ line: "GPIO17", key: "hall", ...hall }));
 */
export interface NounDescription {
  /** A few words: the noun's name for people. */
  readonly title?: string;
  /** A sentence or two. */
  readonly description?: string;
  /** The nouns of one group are together on the page, under this title. */
  readonly group?: string;
  /** The page shows nouns with a smaller number first; 0 if left out. Equal ones are as they were registered. */
  readonly order?: number;
  /** The name of the page's picture, where its words lead to another one. */
  readonly icon?: string;
  /** Whether the page asks before it sends a change, because that opens a house. */
  readonly ask?: boolean;
  /** By key of the state: what the key is called and measured in. */
  readonly keys?: { readonly [key: string]: KeyDescription };
  /** By key of the state, the words for its values: `{ "window": { "0": "closed", "1": "open" } }`. */
  readonly labels?: { readonly [key: string]: { readonly [value: string]: string } };
  /** The device class of the first key. */
  readonly deviceClass?: string;
  /** Options for Home Assistant about the noun's first key, or which whole thing it is; false to leave it out. */
  readonly homeAssistant?: HomeAssistantOptions;
  /** Conditions on other nouns, without which the noun is at its default. */
  readonly guard?: When;
  /** ms for which the conditions of the guard must have held before the noun leaves its default; 0 if left out. */
  readonly settle?: number;
}

/** The words of a noun that its own operations do not need. */
export const presented = [
  "title",
  "description",
  "group",
  "order",
  "icon",
  "ask",
  "action",
  "homeAssistant",
  "guard",
  "settle",
] as const;

/** The properties of a noun that its own operations do not need. */
type Presentation = Pick<Noun, (typeof presented)[number]>;

/** @returns those of a noun, or of its options, that are not left out. */
export function presentationOf(noun: Presentation): Presentation {
  const present: { [name: string]: unknown } = {};
  for (let index = 0; index < presented.length; index++) {
    const name = presented[index] as (typeof presented)[number];
    const value = noun[name];
    if (value !== undefined) present[name] = value;
  }
  return present;
}

/** @returns the descriptions of keys, with what is said of the whole noun. */
function keysOf(
  { keys = {}, labels = {}, deviceClass }: NounDescription,
  shape: Shape,
): { readonly [key: string]: KeyDescription } {
  const [first = ""] = Object.keys(shape);
  const classed = deviceClass === undefined ? {} : { [first]: { deviceClass } };
  const labelled = Object.fromEntries(Object.entries(labels).map(([name, words]) => [name, { labels: words }]));
  const names = Object.keys({ ...keys, ...labelled, ...classed });
  return Object.fromEntries(names.map((name) => [name, { ...keys[name], ...labelled[name], ...classed[name] }]));
}

/** @throws TypeError naming a value that the key cannot have. */
function checkLabels(name: string, key: Key): void {
  const { labels = {}, type } = key;
  if (type !== "choice" && type !== "boolean") return;
  const values = type === "boolean" ? [false, true] : key.values;
  const unknown = Object.keys(labels).find((label) => !values.some((value) => String(value) === label));
  if (unknown === undefined) return;
  throw new TypeError(
    `The key ${JSON.stringify(name)} cannot have the value ${JSON.stringify(unknown)} of its labels; ` +
      `it takes ${describeKey(key)}.`,
  );
}

function describeShape(shape: Shape, keys: { readonly [key: string]: KeyDescription }): Shape {
  const described = Object.entries(shape).map(([name, key]): [string, Key] => [
    name,
    Object.hasOwn(keys, name) ? { ...key, ...keys[name] } : key,
  ]);
  for (const [name, key] of described) checkLabels(name, key);
  return Object.fromEntries(described);
}

/**
 * Adds to the description of a noun. What is left out stays as it is.
 * @returns the same noun.
 * @throws TypeError naming a key that the noun's state does not have, or a value that has a label and that its key
 *   cannot have.
 */
export function describeNoun<N extends Noun>(noun: N, options: NounDescription): N {
  // Of a thousand nouns, few have words for their keys.
  const hasKeys = (options.keys ?? options.labels ?? options.deviceClass) !== undefined;
  const { shape = {}, updateShape } = hasKeys ? noun : {};
  const keys = hasKeys ? keysOf(options, shape) : {};
  if (hasKeys && Object.keys(keys).length > 0) {
    const unknown = Object.keys(keys).find((key) => !Object.hasOwn(shape, key));
    if (unknown !== undefined) {
      throw new TypeError(`There is no key ${JSON.stringify(unknown)} to describe; ${listKeys(shape)}.`);
    }
    Object.assign(noun, { shape: describeShape(shape, keys) });
    if (updateShape !== undefined) Object.assign(noun, { updateShape: describeShape(updateShape, keys) });
  }
  return Object.assign(noun, presentationOf(options as Presentation));
}
