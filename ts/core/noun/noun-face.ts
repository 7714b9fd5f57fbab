/**
 * The noun as a server calls it. A noun checks the arguments when other nouns call it. For a request, the server has
 * already done so, and this object does not check again.
 */
import type { Awaitable, Noun } from "./noun.ts";
import type { State } from "./state.ts";

/**
 * The method of a noun that sets what an update has merged. A symbol, because an author's noun may have a method of any
 * name.
 */
export const merge = Symbol("merge");

/** Of a noun to which an update may have any keys: its shape is that of its state alone. */
export const takesAnyUpdate = Symbol("takesAnyUpdate");

/**
 * The method of a noun that is called for a GET in place of `getState`: it returns an object that only the noun's own
 * `writeState` understands, as of a state that is text already.
 */
export const readWritten = Symbol("readWritten");

/**
 * The method of a noun that reads itself each `poll` ms while somebody follows it, and tells only of what has changed:
 * it takes whom to tell then, and returns a function that ends this. What it has read is its state for the next GET.
 */
export const readsItself = Symbol("readsItself");

/** Who is told of what a noun has read by itself. */
export interface NewsTaker {
  /** @param json the state; undefined if it was not read without a failure. */
  hasRead(json: string | undefined): void;
}

export interface NounFace extends Noun {
  /**
   * Checks and writes what an operation returned. Without it anything that is a state is written.
   * @throws TypeError with a sentence about what is wrong.
   */
  readonly writeState?: (result: unknown) => string;
  /**
   * @returns the state that an update by this change would set. Without it the noun updates its state by a rule of its
   * own.
   */
  readonly [merge]?: (change: State) => Awaitable<State>;
  readonly [takesAnyUpdate]?: true;
  readonly [readWritten]?: () => Awaitable<object>;
  readonly [readsItself]?: (taker: NewsTaker) => () => void;
}

const faces = new WeakMap<Noun, NounFace>();

/** Makes servers call another object instead of a noun. */
export function serveAs(noun: Noun, face: NounFace): void {
  faces.set(noun, face);
}

/** @returns the object that a server calls. */
export function faceOf(noun: Noun): NounFace {
  return faces.get(noun) ?? noun;
}
