/** The list of a server's changes. This module is loaded for the first change. */

import type { Host } from "../../core/server/host.ts";
import { openFeeds } from "../../core/server/open-feeds.ts";
import { Changes } from "../../parts/changes/changes.ts";
import { logLine } from "../../platform/log.ts";

/** @param most the largest number of changes. */
export function openChanges(host: Host, most: number): Changes {
  return new Changes({ clock: host.clock, most, feeds: () => openFeeds(host), log: logLine });
}
