/** The plan of a noun with mistakes: the others may name it, and the rules among them are checked too. */
import type { NounPlan } from "./noun-kind.ts";

/**
 * @param path of the noun.
 * @param build of a rule, which is made so that the nouns that it names are checked.
 */
export function unreadNoun(path: string, build?: NounPlan["build"]): NounPlan {
  return {
    path,
    claims: [],
    keeps: undefined,
    isUnbounded: false,
    hardware: undefined,
    advise: undefined,
    guard: undefined,
    isRule: build !== undefined,
    hasShapeOfDevice: true,
    build(context) {
      if (build === undefined) throw new Error("it could not be read");
      return build(context);
    },
  };
}
