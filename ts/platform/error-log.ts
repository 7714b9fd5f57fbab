/**
 * Writes failures to a log that nobody reads most of the time. It writes the first failure of each noun at once, and
 * then at most one a minute, with the number of those left out. So a noun that fails at each request does not fill a
 * disk.
 *
 *     const report = openErrorLog(clock, (line) => system.log(line));
 *     report("pump", "Error: the GPIO line is gone"); // pump: Error: the GPIO line is gone
 */

import type { OnFailure } from "../core/noun/failure.ts";
import type { Clock } from "../native/loop.ts";

/** ms between two lines of one noun, at least. */
const interval = 60_000;

/**
 * The largest number of remembered nouns. Nouns are registered and removed while a server runs, so their names are not
 * kept for good.
 */
const mostNouns = 256;

interface Failures {
  /** ms by the clock: when its last line was written. */
  written: number;
  /** Failures since then. */
  silent: number;
}

/**
 * @param write takes a line, without its end. @returns a function to call at each failure, with the noun's name and
 * what went wrong, for people.
 */
export function openErrorLog(clock: Pick<Clock, "now">, write: (line: string) => void): OnFailure {
  const failures = new Map<string, Failures>();

  /** Forgets the nouns that may write a line at once anyway, and the oldest if there are none. */
  function forgetOld(now: number): void {
    for (const [noun, { written }] of failures) {
      if (now - written >= interval) failures.delete(noun);
    }
    const [oldest] = failures.keys();
    if (oldest !== undefined && failures.size >= mostNouns) failures.delete(oldest);
  }

  return (noun, description) => {
    const now = clock.now();
    const known = failures.get(noun);
    if (known !== undefined && now - known.written < interval) {
      known.silent += 1;
      return;
    }
    if (known === undefined && failures.size >= mostNouns) forgetOld(now);
    failures.set(noun, { written: now, silent: 0 });
    const silent = known?.silent ?? 0;
    write(`${noun}: ${description}${silent === 0 ? "" : ` (and ${silent} more since the last line)`}`);
  };
}
