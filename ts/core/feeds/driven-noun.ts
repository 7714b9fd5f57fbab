/**
 * Nouns that another noun sets, as its outputs: the relays of a cover, at a Modbus unit for instance. Nobody else makes
 * them active.
 */

import type { Noun } from "../noun/noun.ts";
import type { Changing } from "../noun/noun-traits.ts";
import type { State } from "../noun/state.ts";
import type { RegisteredNoun } from "../operations/noun-route.ts";
import type { Feeds } from "./feeds.ts";
import type { NounDirectory } from "./noun-directory.ts";

export const drivenNouns = Symbol("drivenNouns");
export const comeToRest = Symbol("comeToRest");

/** The noun that sets another one. */
export interface Owner {
  readonly name: string;
  /** @param to the state after the change; undefined if nobody knows it. @returns whether a change may be made. */
  allows(verb: Changing, state: State, to: State | undefined): boolean;
}

/** What a noun needs to set others. */
export interface DriveContext {
  /** The name of the noun that sets them. */
  readonly name: string;
  readonly nouns: NounDirectory;
  readonly feeds: Feeds;
  /** Calls a function of the core from where a noun's code may be running. */
  readonly exempt: <Result>(step: () => Result) => Result;
  /** Has the changes of a noun judged; undefined ends that. */
  readonly own: (name: string, owner: Owner | undefined) => void;
}

export interface DrivenNoun {
  /** Its name, in lower case. */
  readonly noun: string;
  /** The path from the options of the noun that sets it. */
  readonly option: string;
  /** Begins to set it. @returns a function that ends it. */
  drive(context: DriveContext): () => void;
  /** @returns what is wrong with the noun of that name; undefined if it can be set. */
  mistakeOf(registered: RegisteredNoun): { readonly key: string; readonly sentence: string } | undefined;
}

interface DrivingNoun extends Noun {
  readonly [drivenNouns]?: readonly DrivenNoun[];
  /**
   * Stops what it moves. @param isForGood whether it begins no other move, because the program ends.
   * @returns a promise that resolves when nothing is active any more.
   */
  readonly [comeToRest]?: (isForGood: boolean) => Promise<void>;
}

/** @returns a noun with what it may have to set others. */
export function driving(noun: Noun): DrivingNoun {
  return noun;
}
