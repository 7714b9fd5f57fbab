/**
 * What a noun leaves for the noun of the same name and shape in the next process, when the program is reloaded. Symbols
 * name the methods, because an author's noun may have a method of any name.
 */
import type { Noun } from "./noun.ts";
import type { Shape } from "./shape.ts";
import type { State } from "./state.ts";

/** The method that returns what is left: a flat object. Moments are on the clock, which is the same in all processes. */
export const leave = Symbol("leave");
/**
 * The method that takes it. What it takes is untrusted: it ignores what it would not have left. A noun without this
 * method has left its state, and gets that as from a client.
 */
export const takeOver = Symbol("takeOver");

export interface HandingNoun extends Noun {
  readonly [leave]?: () => State;
  readonly [takeOver]?: (left: State) => void;
}

/** Properties of a key that only people and descriptions read. */
const descriptive: readonly string[] = ["title", "description", "unit"];

/** @returns a text that is equal for shapes of the same states. */
export function shapeText(shape: Shape | undefined): string {
  if (shape === undefined) return "";
  const plain = Object.entries(shape).map(([name, key]) => [
    name,
    Object.entries(key).filter(([property]) => !descriptive.includes(property)),
  ]);
  return JSON.stringify(plain);
}

/** @returns whether an earlier process may have counted so many. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
