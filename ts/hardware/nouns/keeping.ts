/** Texts of nouns that survive the process, by the clock of nouns. */

import { KeptText } from "../../core/noun/kept-text.ts";
import type { Store } from "../../native/storage.ts";
import type { Milliseconds } from "../../native/units.ts";
import { nounClock } from "../../platform/noun-clock.ts";

/** Where the text of a noun is kept, and who is told that it could not be. */
export interface Keeping {
  /** The noun's name in the store. */
  readonly name: string;
  /** Receives the error of the store. */
  report(error: unknown): void;
}

/** @param kind of the text, before the noun's name. @param interval ms between two writes, at least. */
export function keptText(kind: string, keeping: Keeping, store: Store, interval: Milliseconds): KeptText {
  const onError = (error: unknown) => keeping.report(error);
  return new KeptText({ store, clock: nounClock }, { name: `${kind}-${keeping.name}`, interval, onError });
}
