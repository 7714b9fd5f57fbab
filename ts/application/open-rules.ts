/** The rules and the guards of a server. This module is loaded by a program that has some. */
import { Guards } from "../guards/guards.ts";
import { Rules } from "../rules/rules.ts";
import type { Location } from "../rules/sun.ts";
import type { Host } from "../server/host.ts";
import { openFeeds } from "../server/open-feeds.ts";
import type { HttpServer } from "../server/server.ts";
import { logFailure, logLine } from "./log.ts";
import { loop } from "./platform.ts";

export { guardOrder } from "../guards/guard-order.ts";
export { guardMistakes } from "../guards/mistakes.ts";
export type { Rules };

export function openGuards(host: Host): Guards {
  const { clock, guard, nouns } = host;
  return new Guards({ clock, nouns, feeds: openFeeds(host), exempt: (step) => guard.exempt(step), report: logFailure });
}

/** The clock on the wall, in the time zone of the device. */
const wall = {
  now: () => Date.now(),
  offset: (moment: number) => -new Date(moment).getTimezoneOffset(),
};

/** @param location where the device is; undefined if its configuration does not say. */
export function openRules(server: HttpServer, location?: Location): Rules {
  return new Rules({
    clock: loop,
    wall,
    location,
    onNewDay: () => void server.documents?.relieve(),
    nouns: server.nouns,
    feeds: openFeeds(server.host),
    report: logFailure,
    log: (rule, { verb, noun }, { status, note }) =>
      logLine(`${rule} ${verb} /${noun} ${status}${note === "" ? "" : ` ${note}`} (rule ${rule})`),
  });
}
