/** The guards of a server's nouns. This module is loaded by a program that has some. */
import { Guards } from "../guards/guards.ts";
import type { Host } from "../server/host.ts";
import { openFeeds } from "../server/open-feeds.ts";
import type { NounGuards } from "../server/source.ts";
import { logFailure } from "./log.ts";

export { guardOrder } from "../guards/guard-order.ts";
export { guardMistakes } from "../guards/mistakes.ts";

export function openGuards({ clock, guard, nouns, feeds }: Host): NounGuards {
  return new Guards({
    clock,
    nouns,
    feeds: feeds(openFeeds),
    exempt: (step) => guard.exempt(step),
    report: logFailure,
  });
}
