/** The list of a server's changes. This module is loaded for the first change. */
import { Changes } from "../changes/changes.ts";
import type { Host } from "../server/host.ts";
import { openFeeds } from "../server/open-feeds.ts";
import type { NounChanges } from "../server/source.ts";
import { logLine } from "./log.ts";

/** @param most the largest number of changes. */
export function openChanges({ clock, feeds }: Host, most: number): NounChanges {
  return new Changes({ clock, most, feeds: () => feeds(openFeeds), log: logLine });
}
