/** The files that the program's nouns open after `restrict`, because their devices come and go. */
import type { Reach } from "../native/privileges.ts";

const readable = new Set<string>();
const writable = new Set<string>();

/** Adds the files that a noun opens later. */
export function addReach(reach: Reach): void {
  for (const path of reach.readable ?? []) readable.add(path);
  for (const path of reach.writable ?? []) writable.add(path);
}

/** @returns the reach, with the files that the nouns need added. */
export function withNeeds(reach: Reach): Reach {
  return {
    readable: [...readable, ...(reach.readable ?? [])],
    writable: [...writable, ...(reach.writable ?? [])],
  };
}
