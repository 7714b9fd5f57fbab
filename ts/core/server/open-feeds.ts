/** Opens the feeds of a server. The first who follows its nouns brings this module with it. */
import { Feeds } from "../feeds/feeds.ts";
import { describeError } from "../noun/failure.ts";
import type { Host } from "./host.ts";
import { escapeForLog } from "./log.ts";

/** Reports what a noun's `watch`, or its end, threw. Reading that value may also never end. */
function reportFailure({ interruption, onFailure, log }: Host, name: string, error: unknown): void {
  if (log === undefined && onFailure === undefined) return;
  let description = "watch failed";
  try {
    description = interruption.call(() => `watch failed: ${describeError(error)}`);
  } catch {
    // An error that cannot be inspected gets no description.
  }
  onFailure?.(name, description);
  log?.(escapeForLog(`${name}: ${description}`));
}

/** @returns the feeds of a server, opened for the first who follows a noun. */
export function openFeeds(host: Host): Feeds {
  const { clock, turns, nouns, interruption, limits, feeds } = host;
  feeds.opened ??= new Feeds({
    clock,
    turns,
    interval: 1_000 / limits.maxEventsPerSecond,
    find: (name) => nouns.find(name),
    call: (step) => interruption.call(step),
    exempt: interruption.exempt,
    report: (name, error) => reportFailure(host, name, error),
  });
  return feeds.opened;
}
