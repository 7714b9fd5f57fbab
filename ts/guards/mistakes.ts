/** What is wrong with the guards of a device that only its nouns can tell: their names, their shapes. */
import type { ServedNouns } from "../feeds/served-nouns.ts";
import type { When } from "../noun/condition.ts";
import { conditionMistake } from "../noun/condition-mistakes.ts";
import { didYouMean } from "../noun/nearest-word.ts";

export interface GuardMistake {
  readonly noun: string;
  /** The path from the noun to what is wrong. */
  readonly keys: readonly string[];
  readonly sentence: string;
}

function* mistakesOf(
  noun: string,
  guard: When,
  nouns: ServedNouns,
  isKnown: (noun: string) => boolean,
): Generator<GuardMistake> {
  for (const [name, conditions] of Object.entries(guard)) {
    const registered = nouns.find(name);
    if (registered === undefined) {
      if (!isKnown(name)) continue;
      const names = Array.from(nouns.all(), (one) => one.name);
      const sentence = `expected the name of a noun, found ${JSON.stringify(name)}${didYouMean(name, names)}`;
      yield { noun, keys: ["guard", name], sentence };
      continue;
    }
    const { shape } = registered.noun;
    if (shape === undefined || !isKnown(name)) continue;
    for (const [key, condition] of Object.entries(conditions)) {
      const mistake = conditionMistake(shape, key, condition);
      if (mistake !== undefined) {
        yield { noun, keys: ["guard", name, key, ...mistake.keys], sentence: mistake.sentence };
      }
    }
  }
}

/** @param isKnown whether a noun is as it will be on the device; of others, nothing is judged. */
export function guardMistakes(
  nouns: ServedNouns,
  isKnown: (noun: string) => boolean = () => true,
): readonly GuardMistake[] {
  return Array.from(nouns.all()).flatMap(({ name, noun: { guard }, isSettable }): readonly GuardMistake[] => {
    if (guard === undefined) return [];
    if (isKnown(name) && !isSettable) {
      const sentence = "expected nothing, because clients cannot change this noun";
      return [{ noun: name, keys: ["guard"], sentence }];
    }
    return Array.from(mistakesOf(name, guard, nouns, isKnown));
  });
}
