/** The guards of a server's nouns. This module is loaded by a program that has some. */
import { Guards } from "../guards/guards.ts";
import type { Host } from "../server/host.ts";
import { openFeeds } from "../server/open-feeds.ts";
import { logFailure } from "./log.ts";

export { guardOrder } from "../guards/guard-order.ts";
export { guardMistakes } from "../guards/mistakes.ts";

export function openGuards(host: Host): Guards {
  const { clock, guard, nouns } = host;
  return new Guards({
    clock,
    nouns,
    feeds: openFeeds(host),
    exempt: (step) => guard.exempt(step),
    report: logFailure,
  });
}
