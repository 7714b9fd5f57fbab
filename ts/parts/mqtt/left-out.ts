/**
 * What the broker has ended a connection for: a message, a subscription, or a packet. It is left out of the next
 * connections, and tried again after a minute at the earliest, so that it ends one connection a minute at most. What is
 * only suspected is not left out, but a subscription is asked for alone. While there is neither, this costs an empty
 * map.
 */

/** ms to the first trial, and to the last ones: the time doubles. */
const shortestTime = 60_000;
const longestTime = 3_600_000;

/** Trials of another payload, before their time doubles too: then the payload does not matter. */
const shortTrials = 4;

/** Topics and subscriptions that are remembered. With more of them, the one that is due next is tried again. */
const mostEntries = 64;

/** A packet that the broker has not answered, by its name: a topic, `subscription FILTER`, or one of the two below. */
export interface Suspect {
  readonly name: string;
  /** Of a message. */
  readonly payload?: string | undefined;
  /** Whether the broker has refused it before it ended the connection. */
  readonly wasRefused?: boolean;
}

/** The names of packets that are neither messages nor subscriptions. */
export const ping = "PINGREQ";
export const acknowledgement = "PUBACK";

/** @returns the name of a subscription. The device publishes to some of its filters, too. */
export function subscriptionTo(filter: string): string {
  return `subscription ${filter}`;
}

interface Entry {
  /** Tells the payload from another one; undefined for what has none. */
  mark: string | undefined;
  /** How often it has ended a connection, besides the one for which it was suspected. */
  count: number;
  /** When it is tried again, and when another payload is. */
  due: number;
  soonest: number;
  /** Whether it has still to be tried again in this connection. */
  isWaiting: boolean;
}

/** @returns a short text that another payload hardly has. */
function markOf(payload: string): string {
  let hash = 0;
  for (let index = 0; index < payload.length; index++) hash = (Math.imul(hash, 31) + payload.charCodeAt(index)) | 0;
  return `${payload.length} ${hash}`;
}

const timeAfter = (count: number): number => Math.min(longestTime, shortestTime * 2 ** Math.max(0, count));

export class LeftOut {
  private readonly entries = new Map<string, Entry>();

  /** When the next one is tried again, in ms by the clock; `Infinity` while none waits. */
  get nextTrial(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { isWaiting, due } of this.entries.values()) if (isWaiting) next = Math.min(next, due);
    return next;
  }

  /** A connection begins: what the last one has not proved is tried again. */
  begin(): void {
    for (const entry of this.entries.values()) entry.isWaiting = true;
  }

  /** Leaves something out. @returns ms until it is tried again. */
  add({ name, payload }: Suspect, now: number): number {
    const count = (this.entries.get(name)?.count ?? 0) + 1;
    const time = timeAfter(count - 1);
    const mark = payload === undefined ? undefined : markOf(payload);
    this.set(name, { mark, count, due: now + time, soonest: now + timeAfter(count - shortTrials), isWaiting: true });
    return time;
  }

  /** Remembers something that may have ended a connection, until the broker has taken it. */
  suspect({ name }: Suspect, now: number): void {
    this.set(name, { mark: undefined, count: 0, due: now, soonest: now, isWaiting: true });
  }

  private set(name: string, entry: Entry): void {
    this.entries.delete(name);
    if (this.entries.size >= mostEntries) this.dropNext();
    this.entries.set(name, entry);
  }

  /** @returns whether it is to be left out now. Another payload is tried earlier. */
  skips({ name, payload }: Suspect, now: number): boolean {
    const entry = this.entries.get(name);
    if (entry?.isWaiting !== true) return false;
    if (payload !== undefined && entry.mark !== undefined && entry.mark !== markOf(payload)) {
      entry.due = Math.min(entry.due, entry.soonest);
    }
    entry.isWaiting = now < entry.due;
    return entry.isWaiting;
  }

  /** @returns whether it is suspected or left out, and the broker has not taken it since: it is to be tried alone. */
  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** @returns whether it is left out, or tried again, and the broker has not taken it since. */
  wasLeftOut(name: string): boolean {
    return (this.entries.get(name)?.count ?? 0) > 0;
  }

  /** @returns the name of one that is to be tried again now. */
  takeDue(now: number): string | undefined {
    for (const [name, entry] of this.entries) {
      if (!entry.isWaiting || entry.due > now) continue;
      entry.isWaiting = false;
      return name;
    }
    return undefined;
  }

  /** The broker has taken it. */
  remove(name: string): void {
    this.entries.delete(name);
  }

  /** The broker was away, so it may have ended the connection for that: what was blamed once is not left out. */
  acquit(): void {
    for (const [name, { count }] of this.entries) if (count <= 1) this.entries.delete(name);
  }

  private dropNext(): void {
    let next: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const [name, { due }] of this.entries) {
      if (due > least) continue;
      next = name;
      least = due;
    }
    if (next !== undefined) this.entries.delete(next);
  }
}
