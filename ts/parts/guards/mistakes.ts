/** What is wrong with the guards of a device that only its nouns can tell: their names, their shapes. */
import { drivenNouns, driving } from "../../core/feeds/driven-noun.ts";
import { shapeOf, unknownNoun } from "../../core/feeds/known-shapes.ts";
import type { NounDirectory } from "../../core/feeds/noun-directory.ts";
import type { Condition, When } from "../../core/noun/condition.ts";
import { conditionMistake } from "../../core/noun/condition-mistakes.ts";
import type { Noun } from "../../core/noun/noun.ts";
import { endSwitches, traitsOf } from "../../core/noun/noun-traits.ts";

export interface GuardMistake {
  readonly noun: string;
  /** The path from the noun to what is wrong. */
  readonly keys: readonly string[];
  readonly sentence: string;
}

function mistakesOf(
  noun: string,
  option: readonly string[],
  guard: When,
  nouns: NounDirectory,
  isKnown: (noun: string) => boolean,
): readonly GuardMistake[] {
  const mistakes: GuardMistake[] = [];
  for (const name of Object.keys(guard)) {
    const conditions = guard[name] as When[string];
    const registered = nouns.find(name);
    if (registered === undefined) {
      if (!isKnown(name)) continue;
      mistakes.push({ noun, keys: [...option, name], sentence: unknownNoun(name, nouns) });
      continue;
    }
    const { shape } = registered.face;
    if (shape === undefined || !isKnown(name)) continue;
    for (const key of Object.keys(conditions)) {
      const condition = conditions[key] as Condition;
      const mistake = conditionMistake(shape, { noun: name, key }, condition, shapeOf(nouns, isKnown));
      if (mistake !== undefined) {
        mistakes.push({ noun, keys: [...option, name, key, ...mistake.keys], sentence: mistake.sentence });
      }
    }
  }
  return mistakes;
}

/** What is wrong with the nouns that a noun sets. */
function* mistakesOfDriven(
  noun: string,
  own: Noun,
  nouns: NounDirectory,
  isKnown: (noun: string) => boolean,
): Generator<GuardMistake> {
  for (const driven of driving(own)[drivenNouns] ?? []) {
    const registered = nouns.find(driven.noun);
    if (!isKnown(driven.noun)) continue;
    const mistake = registered
      ? driven.mistakeOf(registered)
      : { key: "noun", sentence: unknownNoun(driven.noun, nouns) };
    if (mistake !== undefined) yield { noun, keys: [driven.option, mistake.key], sentence: mistake.sentence };
  }
}

const none: readonly never[] = [];

/** @param isKnown whether a noun is as it will be on the device; of others, nothing is judged. */
export function guardMistakes(
  nouns: NounDirectory,
  isKnown: (noun: string) => boolean = () => true,
): readonly GuardMistake[] {
  const all: GuardMistake[] = [];
  for (const { name, face, original: own, isSettable } of nouns.all()) {
    const { guard } = face;
    if (guard !== undefined && isKnown(name) && !isSettable) {
      const sentence = "expected nothing, because clients cannot change this noun";
      all.push({ noun: name, keys: ["guard"], sentence });
      continue;
    }
    if (guard !== undefined) all.push(...mistakesOf(name, ["guard"], guard, nouns, isKnown));
    for (const { option, when } of traitsOf(own)[endSwitches] ?? none) {
      all.push(...mistakesOf(name, option, when, nouns, isKnown));
    }
    if (driving(own)[drivenNouns] !== undefined) all.push(...mistakesOfDriven(name, own, nouns, isKnown));
  }
  return all;
}
