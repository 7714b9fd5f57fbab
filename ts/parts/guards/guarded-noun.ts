/** Which nouns need guards. */
import { drivenNouns, driving } from "../../core/feeds/driven-noun.ts";
import { endSwitches, traitsOf } from "../../core/noun/noun-traits.ts";
import type { RegisteredNoun } from "../../core/operations/noun-route.ts";

/** @returns whether a noun has a guard, or end switches that are followed as guards are. */
export function needsGuards({ face: noun, original: own }: RegisteredNoun): boolean {
  return noun.guard !== undefined || (traitsOf(own)[endSwitches] ?? driving(own)[drivenNouns]) !== undefined;
}
