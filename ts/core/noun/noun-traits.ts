/**
 * What nound asks of its own nouns besides the contract. Symbols name these properties, because an author's noun may
 * have a property of any name.
 */
import type { When } from "./condition.ts";
import type { Noun } from "./noun.ts";
import type { State } from "./state.ts";
import type { Verb } from "./verb.ts";

export const byItself = Symbol("byItself");
export const declaredDefault = Symbol("declaredDefault");
export const endSwitches = Symbol("endSwitches");
export const foresee = Symbol("foresee");
export const mentioned = Symbol("mentioned");
export const hops = Symbol("hops");
export const undescribed = Symbol("undescribed");
export const leadsToDefault = Symbol("leadsToDefault");
export const leftByDelete = Symbol("leftByDelete");

/**
 * `device`: the hardware, or what is behind it. `lease` and `pulse`: the end of one. `mirror`: another device.
 * `clock`: time passes. `nothing`: it only has a state of its own at the start.
 */
export type OwnCause = "device" | "lease" | "pulse" | "mirror" | "clock" | "nothing";

export interface EndSwitch {
  /** The path from the noun's options to its conditions. */
  readonly option: readonly string[];
  /** Conditions, all of which hold at this end. */
  readonly when: When;
  /** Called when they begin to hold, and when they do not hold any more or cannot be read. */
  reach(isThere: boolean): void;
}

/** What changes a noun. */
export type Changing = Exclude<Verb, "GET">;

/** The most hops that a noun may have. */
export const mostHops = 4;

interface NounTraits extends Noun {
  /** Why it changes without an operation. A noun without it is not followed for the list of changes. */
  readonly [byItself]?: OwnCause;
  /** What its author calls the state after a DELETE; undefined where nobody has. */
  readonly [declaredDefault]?: State | undefined;
  /** Of a noun that moves: conditions on other nouns, each of which tells that it has come to an end. */
  readonly [endSwitches]?: readonly EndSwitch[];
  /**
   * @returns the state after a POST or a DELETE, because others may have to change first; undefined if only the noun's
   *   code knows. A noun without it is taken to become anything.
   */
  readonly [foresee]?: (verb: Changing, change: State) => State | undefined;
  /**
   * Of a noun that takes long to its default: whether a PUT or a POST leads nowhere else. A DELETE of it
   * is answered before the noun is there.
   */
  readonly [leadsToDefault]?: (state: State) => boolean;
  /** The nouns that its description is about, in lower case: who may not read all of them does not get it. */
  readonly [mentioned]?: readonly string[];
  /** How many devices are between it and the thing that it stands for, so that a ring of mirrors is found. */
  readonly [hops]?: number;
  /** Whether another device has its shape, and was not reached. What is missing in its description may still be there. */
  readonly [undescribed]?: boolean;
  /** The keys that clients may set and that DELETE leaves as they are. A guard could not switch such a noun off. */
  readonly [leftByDelete]?: readonly string[];
}

/** @returns a noun with what nound asks of its own nouns. */
export function traitsOf(noun: Noun): NounTraits {
  return noun;
}
