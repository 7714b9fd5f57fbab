/** The end switches of a noun that moves: conditions on other nouns, one of which tells that it has come to an end. */
import type { When } from "./condition.ts";
import type { Noun } from "./noun.ts";

/** The list of a noun's end switches. A symbol names it, because an author's noun may have a property of any name. */
export const endSwitches = Symbol("endSwitches");

export interface EndSwitch {
  /** The path from the noun's options to its conditions. */
  readonly option: readonly string[];
  /** Conditions, all of which hold at this end. */
  readonly when: When;
  /** Called when they begin to hold, and when they do not hold any more or cannot be read. */
  reach(isThere: boolean): void;
}

export interface SwitchedNoun extends Noun {
  readonly [endSwitches]?: readonly EndSwitch[];
}

/** @returns the end switches of a noun; undefined without. */
export function endSwitchesOf(noun: Noun): readonly EndSwitch[] | undefined {
  return (noun as SwitchedNoun)[endSwitches];
}
