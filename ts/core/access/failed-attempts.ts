/**
 * Counts wrong tokens for each address. Each address has a leaky bucket: a number of attempts at once, then one for
 * each interval.
 *
 * Only failures are counted and refused. A right token is accepted at any time from any address. Otherwise a client
 * that sends wrong tokens could lock out all clients that share its address, such as those behind one proxy. A token
 * has 128 bits or more, so nobody can guess it at any speed. The throttle only makes attempts more expensive for the
 * client that sends them.
 */

import type { Clock } from "../../native/loop.ts";
import { clientOf } from "./client-address.ts";

/** The number of wrong tokens from one address that get an ordinary refusal before the throttle begins. */
export const attemptsAtOnce = 10;

/** ms after which one more wrong token gets an ordinary refusal. */
export const attemptInterval = 1_000;

/** The number of addresses that are counted separately. While all these are in use, the others are counted together. */
const addresses = 64;

const everyoneElse = "";

export class FailedAttempts {
  private readonly clock: Clock;
  /** For each address, the moment when its bucket will be empty. */
  private readonly emptyAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /**
   * Counts a wrong token.
   * @param peer as its socket names it.
   * @returns 0; if there have been too many, the whole seconds until another attempt is allowed.
   */
  add(peer: string): number {
    const now = this.clock.now();
    const key = this.keyOf(clientOf(peer), now);
    const emptyAt = Math.max(this.emptyAt.get(key) ?? now, now) + attemptInterval;
    const excess = emptyAt - now - attemptsAtOnce * attemptInterval;
    if (excess > 0) return Math.ceil(excess / 1_000);
    this.emptyAt.set(key, emptyAt);
    return 0;
  }

  private keyOf(client: string, now: number): string {
    if (this.emptyAt.has(client) || this.emptyAt.size < addresses) return client;
    for (const [other, emptyAt] of this.emptyAt) {
      if (emptyAt <= now) this.emptyAt.delete(other);
    }
    return this.emptyAt.size < addresses ? client : everyoneElse;
  }
}
