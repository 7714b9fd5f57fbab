/**
 * Devices that are gone and come back. The restricted process may not open a device that has come back. So another
 * process takes over: it leaves everything else as it is, and opens the missing devices as at a start. While something
 * is gone, each device is looked for once a second, because in a container the kernel sends no hotplug events.
 */

import { Alarm } from "../../core/time/alarm.ts";
import { ofProgram } from "../../native/of-program.ts";
import { loop } from "../../platform/platform.ts";
import { renew } from "../../platform/renewal.ts";

/** ms between two looks. */
const lookTime = 1_000;

/** ms until the next look when a process should have taken over: its start may have failed. */
const refusedTime = 60_000;

/** ms after a device has come back in which udev gives its files to the group that may open them. */
const settlingTime = 500;

/** The devices of the program that are gone. */
const gone = ofProgram(() => ({
  /** For each device, what finds out whether it is back. */
  missing: new Set<() => boolean>(),
  looking: new Alarm(loop, look),
  isReturning: false,
}));

/** Whether a device is gone. */
export function isSomethingGone(): boolean {
  return gone().missing.size > 0;
}

function look(): void {
  const { missing, looking } = gone();
  if (missing.size === 0) return;
  let isBack = false;
  // Each is asked, because a function may remember what it saw.
  for (const one of missing) isBack = one() || isBack;
  if (isBack) returned();
  looking.set(loop.now() + (isBack ? refusedTime : lookTime));
}

/** Looks for a device that is gone. @param isBack is called each second. */
export function awaitReturn(isBack: () => boolean): void {
  const { missing, looking } = gone();
  missing.add(isBack);
  looking.set(loop.now() + lookTime);
}

/** Ends the search for a device. */
export function stopWaiting(isBack: () => boolean): void {
  gone().missing.delete(isBack);
}

/** A device is back: another process takes over when its files have their permissions. */
export function returned(): void {
  const own = gone();
  if (own.isReturning) return;
  own.isReturning = true;
  const settled = new Alarm(loop, () => {
    own.isReturning = false;
    renew();
  });
  settled.set(loop.now() + settlingTime);
}
