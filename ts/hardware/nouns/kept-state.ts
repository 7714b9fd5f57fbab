/** Nouns in memory whose states survive the process. */

import { checkState } from "../../core/noun/shape.ts";
import { parseState } from "../../core/noun/state-parser.ts";
import { writeState } from "../../core/noun/state-writer.ts";
import type { Store } from "../../native/storage.ts";
import type { Milliseconds } from "../../native/units.ts";
import { type Keeping, keptText } from "./keeping.ts";
import type { SwitchNoun } from "./switch-noun.ts";
import type { ValueNoun } from "./value-noun.ts";

/** Pairs of a state that can be kept: as many as a `value` may have. */
const mostPairs = 4096;

/** ms between two writes of a state, at least. */
const interval: Milliseconds = 1_000;

/**
 * Gives a noun the state that an earlier process kept, and keeps each state that it gets from now on. A text that is no
 * state of the noun, because it is damaged or the configuration has changed, is reported, and the noun has its default.
 * @param store the folder of states.
 * @returns the noun.
 */
export function restored<N extends SwitchNoun | ValueNoun>(noun: N, keeping: Keeping, store: Store): N {
  const kept = keptText("state", keeping, store, interval);
  if (kept.text !== undefined) {
    try {
      const state = parseState(kept.text, mostPairs);
      if (noun.shape !== undefined) checkState(noun.shape, state);
      noun.setState(state);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      keeping.report(new Error(`the state that was kept cannot be restored, so this is the default: ${reason}`));
    }
  }
  noun.watch(() => kept.keep(writeState(noun.getState())));
  noun.close = () => kept.flush();
  return noun;
}
