/**
 * Devices that are gone and come back. The restricted process may not open a device that has come back. So another
 * process takes over: it leaves everything else as it is, and opens the missing devices as at a start. While something
 * is gone, each device is looked for once a second, because in a container the kernel sends no hotplug events.
 */

import { Alarm } from "../../core/time/alarm.ts";
import { loop } from "../../platform/platform.ts";
import { renew } from "../../platform/renewal.ts";

/** ms between two looks. */
const lookTime = 1_000;

/** ms until the next look when a process should have taken over: its start may have failed. */
const refusedTime = 60_000;

/** ms after a device has come back in which udev gives its files to the group that may open them. */
const settlingTime = 500;

/** For each device that is gone, what finds out whether it is back. */
const missing = new Set<() => boolean>();
let looking: Alarm | undefined;
let isReturning = false;

/** Forgets the devices of an earlier program, when a test begins the next program. */
export function forgetMissing(): void {
  missing.clear();
  looking?.stop();
  looking = undefined;
  isReturning = false;
}

/** Whether a device is gone. */
export function isSomethingGone(): boolean {
  return missing.size > 0;
}

function look(): void {
  if (missing.size === 0) return;
  let isBack = false;
  // Each is asked, because a function may remember what it saw.
  for (const one of missing) isBack = one() || isBack;
  if (isBack) returned();
  looking?.set(loop.now() + (isBack ? refusedTime : lookTime));
}

/** Looks for a device that is gone. @param isBack is called each second. */
export function awaitReturn(isBack: () => boolean): void {
  missing.add(isBack);
  looking ??= new Alarm(loop, look);
  looking.set(loop.now() + lookTime);
}

/** Ends the search for a device. */
export function stopWaiting(isBack: () => boolean): void {
  missing.delete(isBack);
}

/** A device is back: another process takes over when its files have their permissions. */
export function returned(): void {
  if (isReturning) return;
  isReturning = true;
  const settled = new Alarm(loop, () => {
    isReturning = false;
    renew();
  });
  settled.set(loop.now() + settlingTime);
}
