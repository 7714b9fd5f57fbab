/**
 * What a noun would become, before it does: others may have to change first, because their guards name it. A symbol
 * names the method, because an author's noun may have a method of any name.
 */
import type { Noun } from "./noun.ts";
import type { State } from "./state.ts";
import type { Verb } from "./verb.ts";

/** What changes a noun. */
export type Changing = Exclude<Verb, "GET">;

/**
 * The method that returns the state after a POST or a DELETE; undefined if only the noun's code knows. A noun without
 * it is taken to become anything.
 */
export const foresee = Symbol("foresee");

export interface ForeseeingNoun extends Noun {
  readonly [foresee]?: (verb: Changing, change: State) => State | undefined;
}
