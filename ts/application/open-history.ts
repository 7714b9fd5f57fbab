/** The history of a server's nouns. This module is loaded for the first who asks, or at the start if it is configured. */
import { History } from "../history/history.ts";
import type { Host } from "../server/host.ts";
import { openFeeds } from "../server/open-feeds.ts";
import type { NounHistories } from "../server/source.ts";

/** @param bytes what it may take. */
export function openHistory({ clock, feeds, nouns }: Host, bytes: number): NounHistories {
  return new History({ clock, bytes, nouns, feeds: feeds(openFeeds) });
}
