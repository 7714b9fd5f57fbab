/** What is wrong with the guards of a device that only its nouns can tell: their names, their shapes. */
import type { ServedNouns } from "../../core/feeds/served-nouns.ts";
import type { When } from "../../core/noun/condition.ts";
import { conditionMistake } from "../../core/noun/condition-mistakes.ts";
import { endSwitches, inner } from "../../core/noun/inner-noun.ts";
import { didYouMean } from "../../core/noun/nearest-word.ts";

export interface GuardMistake {
  readonly noun: string;
  /** The path from the noun to what is wrong. */
  readonly keys: readonly string[];
  readonly sentence: string;
}

function* mistakesOf(
  noun: string,
  option: readonly string[],
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
      yield { noun, keys: [...option, name], sentence };
      continue;
    }
    const { shape } = registered.noun;
    if (shape === undefined || !isKnown(name)) continue;
    for (const [key, condition] of Object.entries(conditions)) {
      const mistake = conditionMistake(shape, key, condition);
      if (mistake !== undefined) {
        yield { noun, keys: [...option, name, key, ...mistake.keys], sentence: mistake.sentence };
      }
    }
  }
}

/** @param isKnown whether a noun is as it will be on the device; of others, nothing is judged. */
export function guardMistakes(
  nouns: ServedNouns,
  isKnown: (noun: string) => boolean = () => true,
): readonly GuardMistake[] {
  return Array.from(nouns.all()).flatMap(({ name, noun: { guard }, own, isSettable }): readonly GuardMistake[] => {
    const switches = inner(own)[endSwitches] ?? [];
    const ofSwitches = switches.flatMap(({ option, when }) =>
      Array.from(mistakesOf(name, option, when, nouns, isKnown)),
    );
    if (guard === undefined) return ofSwitches;
    if (isKnown(name) && !isSettable) {
      const sentence = "expected nothing, because clients cannot change this noun";
      return [{ noun: name, keys: ["guard"], sentence }];
    }
    return [...mistakesOf(name, ["guard"], guard, nouns, isKnown), ...ofSwitches];
  });
}
