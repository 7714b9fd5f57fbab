/**
 * The face that a noun shows to a server. A noun that checks for itself what other nouns ask of it would check a request a second time: the
 * server has done so already.
 */
import type { Noun } from "./noun.ts";

/** A noun as a server calls it. */
export interface ServedNoun extends Noun {
  /**
   * Checks and writes what an operation returned. Without it anything that is a state is written.
   * @throws TypeError with a sentence about what is wrong.
   */
  readonly writeState?: (result: unknown) => string;
}

const faces = new WeakMap<Noun, ServedNoun>();

/** Has servers call another object instead of a noun. */
export function serveAs(noun: Noun, face: ServedNoun): void {
  faces.set(noun, face);
}

/** @returns what a server calls. */
export function servedNoun(noun: Noun): ServedNoun {
  return faces.get(noun) ?? noun;
}
