/**
 * Why a noun changes by itself, without an operation: for the list of changes. A symbol names it, because an author's
 * noun may have a property of any name.
 */
import type { Noun } from "./noun.ts";

/** A property of a noun. A noun without it is not followed for the list of changes. */
export const byItself = Symbol("byItself");

/**
 * `device`: the hardware, or what is behind it. `lease` and `pulse`: the end of one. `mirror`: another device.
 * `nothing`: it only has a state of its own at the start.
 */
export type OwnCause = "device" | "lease" | "pulse" | "mirror" | "nothing";

export interface SelfChangingNoun extends Noun {
  readonly [byItself]?: OwnCause;
}

/** @returns why a noun changes by itself; undefined where nobody follows that. */
export function ownCauseOf(noun: Noun): OwnCause | undefined {
  return (noun as SelfChangingNoun)[byItself];
}
