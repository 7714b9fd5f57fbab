/** Opens the watches of a server. The first who watches its nouns brings this module with it. */
import { describeError } from "../noun/failure.ts";
import { EventIds } from "../watch/event.ts";
import { Watches } from "../watch/watches.ts";
import type { WatchesContext } from "./companions.ts";
import { escapeForLog } from "./log.ts";

/** Reports what a noun's `watch`, or its end, threw. Reading that value may also never end. */
function reportFailure({ guard, onFailure, log }: WatchesContext, name: string, error: unknown): void {
  if (log === undefined && onFailure === undefined) return;
  let description = "watch failed";
  try {
    description = guard.call(() => `watch failed: ${describeError(error)}`);
  } catch {
    // An error that cannot be inspected gets no description.
  }
  onFailure?.(name, description);
  log?.(escapeForLog(`${name}: ${description}`));
}

/** @param random gives numbers from 0 up to 1, for the ids of events. */
export function openWatches(context: WatchesContext, random: () => number): Watches {
  const { clock, guard, limits } = context;
  return new Watches({
    clock,
    call: (step) => guard.call(step),
    report: (name, error) => reportFailure(context, name, error),
    ids: new EventIds(random),
    eventInterval: 1_000 / limits.maxEventsPerSecond,
  });
}
