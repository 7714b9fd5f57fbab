/** The list of a server's changes. This module is loaded for the first change. */
import { Changes } from "../changes/changes.ts";
import type { Host } from "../server/host.ts";
import { openFeeds } from "../server/open-feeds.ts";
import { logLine } from "./log.ts";

/** @param most the largest number of changes. */
export function openChanges(host: Host, most: number): Changes {
  return new Changes({ clock: host.clock, most, feeds: () => openFeeds(host), log: logLine });
}
