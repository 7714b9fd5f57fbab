/** What is known of the nouns that a configuration names. */
import { didYouMean } from "../noun/nearest-word.ts";
import type { ShapeOf } from "../noun/reference-mistakes.ts";
import type { NounDirectory } from "./noun-directory.ts";

/** @returns the sentence about a name that no noun has. */
export function unknownNoun(name: string, nouns: NounDirectory): string {
  const names = Array.from(nouns.all(), (one) => one.name);
  return `expected the name of a noun, found ${JSON.stringify(name)}${didYouMean(name, names)}`;
}

/** @param isKnown whether a noun is as it will be on the device. @returns what is known of the nouns that references name. */
export function shapeOf(nouns: NounDirectory, isKnown: (noun: string) => boolean): ShapeOf {
  return (noun) => {
    if (!isKnown(noun)) return undefined;
    const registered = nouns.find(noun);
    return registered === undefined ? unknownNoun(noun, nouns) : registered.face.shape;
  };
}
