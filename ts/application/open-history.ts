/** The history of a server's nouns. This module is loaded for the first who asks, or at the start if it is configured. */
import { History } from "../history/history.ts";
import type { Host } from "../server/host.ts";
import { openFeeds } from "../server/open-feeds.ts";

/** @param bytes what it may take. */
export function openHistory(host: Host, bytes: number): History {
  return new History({ clock: host.clock, bytes, nouns: host.nouns, feeds: openFeeds(host) });
}
