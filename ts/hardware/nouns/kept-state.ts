/** Nouns whose states survive the process. */

import type { RestorableNoun } from "../../core/noun/restorable.ts";
import { checkState, type Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { parseState } from "../../core/noun/state-parser.ts";
import { writeState } from "../../core/noun/state-writer.ts";
import type { Store } from "../../native/storage.ts";
import type { Milliseconds } from "../../native/units.ts";
import { type Keeping, keptText } from "./keeping.ts";

/** Pairs of a state that can be kept: as many as a `value` may have. */
const mostPairs = 4096;

/** ms between two writes of a state, at least. */
const interval: Milliseconds = 1_000;

/** @returns what of a state a PUT may set. */
function settable(state: State, shape: Shape | undefined): State {
  const isReadOnly = (key: string) => shape?.[key]?.readOnly === true;
  const keys = Object.keys(state);
  return keys.some(isReadOnly) ? Object.fromEntries(Object.entries(state).filter(([key]) => !isReadOnly(key))) : state;
}

/**
 * Gives a noun the state that an earlier process kept, and keeps each state that it gets from now on. A text that is no
 * state of the noun, because it is damaged or the configuration has changed, is reported, and the noun has its default.
 * @param store the folder of states. @param isLeft whether it has its state already, from the process before.
 * @returns the noun.
 */
export function restored<N extends RestorableNoun>(noun: N, keeping: Keeping, store: Store, isLeft = false): N {
  const kept = keptText("state", keeping, store, interval);
  if (kept.text !== undefined && !isLeft) {
    try {
      const state = parseState(kept.text, mostPairs);
      if (noun.shape !== undefined) checkState(noun.shape, state);
      noun.setState(state);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      keeping.report(new Error(`the state that was kept cannot be restored, so this is the default: ${reason}`));
    }
  }
  const keep = (state: State) => kept.keep(writeState(settable(state, noun.shape)));
  if (noun.watch === undefined) noun.onSet = keep;
  else noun.watch(() => keep(noun.getState()));
  const { close } = noun;
  noun.close = () => {
    kept.flush();
    close?.call(noun);
  };
  return noun;
}
