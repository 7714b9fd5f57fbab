/**
 * Counts wrong tokens by the address they come from, each address a leaky bucket: so many at once, then one each interval.
 *
 * Only failures are counted and refused. A right token is taken at any time from anywhere, because otherwise a client that sends wrong
 * ones could lock out those who share an address with him, such as all clients behind one proxy. Guesses are hopeless at any
 * rate, for a token has 128 bits or more; what is bounded here is how cheaply a connection can be kept busy with them.
 */
import type { Clock } from "../native/loop.ts";

/** Wrong tokens of one address that are answered like any other refusal, before the throttle holds. */
export const attemptsAtOnce = 10;

/** ms after which one more is. */
export const attemptInterval = 1_000;

/** Addresses that are counted apart; all others are counted as one while these have not been quiet. */
const addresses = 64;

const everyoneElse = "";

/**
 * @param peer as a socket names it: `192.0.2.7:51234`, `[2001:db8::7]:51234` or `unix`.
 * @returns what one client can be told by: its IPv4 address, its IPv6 network of 64 bits (RFC 6177, 2), or all of a Unix socket.
 */
export function clientOf(peer: string): string {
  const address = peer.slice(0, Math.max(peer.lastIndexOf(":"), 0));
  if (!address.startsWith("[")) return address === "" ? peer : address;
  const [left = "", right] = address.slice(1, -1).split("::");
  const groups = left === "" ? [] : left.split(":");
  if (right !== undefined) {
    const behind = right === "" ? 0 : right.split(":").length;
    while (groups.length + behind < 8) groups.push("0");
  }
  return groups.slice(0, 4).join(":");
}

export class FailedAttempts {
  private readonly clock: Clock;
  /** For each address, the moment at which its bucket will have run empty. */
  private readonly emptyAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /**
   * Counts a wrong token.
   * @param peer as its socket names it.
   * @returns 0, or the whole seconds after which another is counted when there have been too many.
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
