/** The history of a server's nouns. This module is loaded for the first who asks, or at the start if it is configured. */

import type { Host } from "../../core/server/host.ts";
import { openFeeds } from "../../core/server/open-feeds.ts";
import { History } from "../../parts/history/history.ts";

/** @param bytes what it may take. */
export function openHistory(host: Host, bytes: number): History {
  return new History({ clock: host.clock, bytes, nouns: host.nouns, feeds: openFeeds(host) });
}
