/**
 * Whether all nouns of a configuration could be full at once: the states that clients set have a bound for each, and
 * one for all.
 */

import { mostStateMemory } from "../../core/noun/state-size.ts";
import { completeServerLimits } from "../../core/server/options.ts";
import { defaultProcessLimits, memoryForStates } from "../../platform/process-limits.ts";
import type { Configuration } from "./configuration.ts";

/** @returns a clause that says why not all nouns could be full, and what to do; undefined if they could. */
export function lackOfRoom({ nouns, limits }: Configuration): string | undefined {
  const { stateBytes, statePairs } = completeServerLimits(limits.server);
  const { memoryBytes } = { ...defaultProcessLimits, ...limits.process };
  const count = Array.from(nouns.values()).filter(({ isUnbounded }) => isUnbounded).length;
  const [each, room] = [mostStateMemory(stateBytes, statePairs), memoryForStates(memoryBytes)];
  if (count * each <= room) return undefined;
  return (
    `${count} of the nouns could not all be full: by bodyBytes, each may take ${each} bytes of memory, and ` +
    `all together ${room}, a quarter of memoryBytes; lower bodyBytes, or raise memoryBytes`
  );
}
