/** Fetching from servers that may be out of reach for a moment: a name server, a mirror that is being updated. */
import { spawnSync } from "node:child_process";

/** s before the second and the third try. */
const pauses = [10, 40];

/**
 * Does something that fetches, up to three times.
 * @returns what it returns.
 * @throws Error what it throws the third time.
 */
export function again<T>(act: () => T): T {
  for (const pause of pauses) {
    try {
      return act();
    } catch (error) {
      console.log(`${error instanceof Error ? error.message : String(error)} Trying again in ${pause} s.`);
      spawnSync("sleep", [String(pause)]);
    }
  }
  return act();
}
