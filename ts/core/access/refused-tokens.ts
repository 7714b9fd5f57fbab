/**
 * Tells of refused tokens: the first at once, then at most once a minute, with their count and where they came from.
 *
 *     const refused = new RefusedTokens(clock, (count, from) => log(`${count} from ${from}`));
 *     refused.add("192.0.2.7:51234"); // 1 from 192.0.2.7
 */
import type { Clock } from "../../native/loop.ts";
import { Alarm } from "../time/alarm.ts";
import { addressOf } from "./client-address.ts";

/** ms between two times that somebody is told, at least. */
const interval = 60_000;

/** The number of addresses that are told apart in an interval. */
const mostAddresses = 64;

/** @param count of refused tokens. @param from their addresses: `192.0.2.7`, or `192.0.2.7 and 3 other addresses`. */
export type OnRefused = (count: number, from: string) => void;

export class RefusedTokens {
  private readonly clock: Clock;
  private readonly tell: OnRefused;
  /** Set for an interval after each time that somebody was told. */
  private readonly alarm: Alarm;
  /** Refused since then, and where they came from. */
  private count = 0;
  private readonly addresses = new Set<string>();

  constructor(clock: Clock, tell: OnRefused) {
    this.clock = clock;
    this.tell = tell;
    this.alarm = new Alarm(clock, () => this.flush());
  }

  /** @param peer as its socket names it. */
  add(peer: string): void {
    this.count += 1;
    if (this.addresses.size < mostAddresses) this.addresses.add(addressOf(peer));
    if (!this.alarm.isSet) this.flush();
  }

  /** Ends: tells of the rest. */
  end(): void {
    this.flush();
    this.alarm.stop();
  }

  /** Tells of those that nobody was told of yet. */
  private flush(): void {
    const { count, addresses } = this;
    if (count === 0) return;
    const [first = ""] = addresses;
    const others = addresses.size - 1;
    const least = addresses.size === mostAddresses ? `${others} or more other addresses` : `${others} other addresses`;
    const from = others === 0 ? first : `${first} and ${others === 1 ? "1 other address" : least}`;
    this.count = 0;
    addresses.clear();
    this.alarm.set(this.clock.now() + interval);
    this.tell(count, from);
  }
}
