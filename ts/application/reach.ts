/** What the program's nouns open later than `restrict`, since the devices behind them come and go. */
import type { Reach } from "../native/privileges.ts";

const readable = new Set<string>();
const writable = new Set<string>();

/** Adds what a noun opens later. */
export function addReach(reach: Reach): void {
  for (const path of reach.readable ?? []) readable.add(path);
  for (const path of reach.writable ?? []) writable.add(path);
}

/** @returns a reach that has what the nouns need, too. */
export function withNeeds(reach: Reach): Reach {
  return {
    readable: [...readable, ...(reach.readable ?? [])],
    writable: [...writable, ...(reach.writable ?? [])],
  };
}
