/**
 * The description of a noun for people and machines, and how the user of a ready-made noun extends it.
 *
 *     describeNoun(new SwitchNoun({ key: "lamp" }), { title: "Lamp", keys: { lamp: { title: "Lit" } } });
 */
import type { HomeAssistantOptions } from "./home-assistant.ts";
import type { Noun } from "./noun.ts";
import { type Key, type KeyDescription, listKeys, type Shape } from "./shape.ts";

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
  /** By key of the state: what the key is called and measured in. */
  readonly keys?: { readonly [key: string]: KeyDescription };
  /** What Home Assistant is told about the noun's first key beside its shape; false if it is not told of the noun. */
  readonly homeAssistant?: HomeAssistantOptions;
}

function describeShape(shape: Shape, keys: { readonly [key: string]: KeyDescription }): Shape {
  const described = Object.entries(shape).map(([name, key]): [string, Key] => [
    name,
    Object.hasOwn(keys, name) ? { ...key, ...keys[name] } : key,
  ]);
  return Object.fromEntries(described);
}

/**
 * Adds to the description of a noun. What is left out stays as it is.
 * @returns the same noun.
 * @throws TypeError naming a key that the noun's state does not have.
 */
export function describeNoun<N extends Noun>(noun: N, options: NounDescription): N {
  const { title, description, keys, homeAssistant } = options;
  if (keys !== undefined) {
    const { shape = {}, updateShape } = noun;
    const unknown = Object.keys(keys).find((key) => !Object.hasOwn(shape, key));
    if (unknown !== undefined) {
      throw new TypeError(`There is no key ${JSON.stringify(unknown)} to describe; ${listKeys(shape)}.`);
    }
    Object.assign(noun, { shape: describeShape(shape, keys) });
    if (updateShape !== undefined) Object.assign(noun, { updateShape: describeShape(updateShape, keys) });
  }
  if (title !== undefined) Object.assign(noun, { title });
  if (description !== undefined) Object.assign(noun, { description });
  if (homeAssistant !== undefined) Object.assign(noun, { homeAssistant });
  return noun;
}
