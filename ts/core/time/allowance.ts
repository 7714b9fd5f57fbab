/**
 * How often something may happen: once in each interval in the long run, and several times at once after a rest. The
 * owner keeps one number, the moment until which it has spent its turns; -Infinity at first.
 *
 *     if (dueAfter(this.spent, 20) <= now) this.spent = spentAt(now, this.spent, 20);
 */

/** How many turns may be saved. */
const saved = 10;

/** @param interval ms. @returns when it may happen next, in ms by the clock. */
export function dueAfter(spent: number, interval: number): number {
  return spent - (saved - 1) * interval;
}

/** @param interval ms. @returns `spent`, if it happens now. */
export function spentAt(now: number, spent: number, interval: number): number {
  return Math.max(spent, now) + interval;
}
