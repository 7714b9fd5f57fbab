/**
 * How often something may happen: once in each interval in the long run, and several times at once after a rest.
 *
 *     const allowance = new Allowance(20);
 *     if (allowance.due <= clock.now()) allowance.spend(clock.now());
 */

/** How many of its turns something may save. */
const saved = 10;

export class Allowance {
  private readonly interval: number;
  private spent = Number.NEGATIVE_INFINITY;

  /** @param interval ms */
  constructor(interval: number) {
    this.interval = interval;
  }

  /** When it may happen next, in ms by the clock. */
  get due(): number {
    return this.spent - (saved - 1) * this.interval;
  }

  /** It happens now. */
  spend(now: number): void {
    this.spent = Math.max(this.spent, now) + this.interval;
  }
}
