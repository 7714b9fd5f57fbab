/** Which nouns need guards. */
import { drivenNouns, driving } from "../../core/feeds/driven-noun.ts";
import { endSwitches, inner } from "../../core/noun/inner-noun.ts";
import type { RegisteredNoun } from "../../core/operations/noun-route.ts";

/** @returns whether a noun has a guard, or end switches that are followed as guards are. */
export function needsGuards({ noun, own }: RegisteredNoun): boolean {
  return noun.guard !== undefined || (inner(own)[endSwitches] ?? driving(own)[drivenNouns]) !== undefined;
}
