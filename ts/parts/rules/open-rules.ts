/** Opens the rules of a server. This module is loaded with the first of them. */

import type { Host } from "../../core/server/host.ts";
import { openFeeds } from "../../core/server/open-feeds.ts";
import { ofProgram } from "../../native/of-program.ts";
import { dateFolder } from "../../platform/date-folder.ts";
import { keptDate } from "../../platform/kept-date.ts";
import { areRequestsLogged, logFailure, logLine } from "../../platform/log.ts";
import { loop, system } from "../../platform/platform.ts";
import { faultOfTimeZone } from "../../platform/time-zone.ts";
import { Rules } from "./rules.ts";
import type { WallClock } from "./schedule.ts";

const doubt = ofProgram(() => ({ isTold: false }));

/** The last date that this device has seen, if that is kept. */
const date = () => (dateFolder() === undefined ? undefined : keptDate());

/** The clock on the wall, in the time zone of the device. */
const wall: WallClock = {
  now: () => Date.now(),
  offset: (moment: number) => -new Date(moment).getTimezoneOffset(),
  isCredible: (moment) => {
    const kept = date();
    const isCredible = kept === undefined || kept.admits(moment);
    if (!isCredible && !doubt().isTold) tellDoubt(moment, kept.date);
    doubt().isTold = !isCredible;
    return isCredible;
  },
  wasSet: () => date()?.clockWasSet(),
};

/** @param moment that the clock shows, in ms since 1970. @param last the last one seen, in s since 1970. */
function tellDoubt(moment: number, last: number): void {
  const [shown, seen] = [moment, last * 1_000].map((one) => `${new Date(one).toISOString().slice(0, 16)}Z`);
  logFailure(
    "clock",
    `rules with "at" and schedules wait: the clock shows ${shown}, earlier than ${seen}, which this device has seen ` +
      "before, and the kernel calls it not synchronized: set the clock, or if it is right, remove tls-date in " +
      '"stateDirectory" and restart',
  );
}

/** Logs what is wrong with the clock or its zone. To be called before `restrict`. */
function prepareClock(): void {
  wall.isCredible(wall.now());
  const fault = faultOfTimeZone(system);
  if (fault !== undefined) logFailure("clock", fault);
}

export function openRules(host: Host, onNewDay: () => void): Rules {
  return new Rules({
    clock: loop,
    wall,
    prepareClock,
    onNewDay,
    nouns: host.nouns,
    feeds: openFeeds(host),
    report: logFailure,
    log: (rule, { verb, noun }, { status, note }) => {
      if (!areRequestsLogged()) return;
      logLine(`${rule} ${verb} /${noun} ${status}${note === "" ? "" : ` ${note}`} (rule ${rule})`);
    },
  });
}
