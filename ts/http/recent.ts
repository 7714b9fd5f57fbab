/**
 * What was made of the bytes seen lately. A client repeats itself: what it sent a moment ago, byte for byte, need not be parsed
 * again. docs/performance.md has the figures.
 *
 * Where nothing else tells that bytes are seen again, they are kept from their second sight on, so that a client that never
 * repeats itself costs next to nothing. They are told by their ends, where what differs mostly is: that is quick, and two that
 * end alike are only kept a sight too early.
 * The table behind it is two generations of a bounded number of entries. What is asked for stays; what is not is gone once the
 * younger generation has filled up twice.
 */

import { LastSeen } from "./last-seen.ts";

/** Characters of a miss that are remembered: a head's last field ends four characters before it does. */
const tailLength = 12;

export class Recent<Value> {
  private younger = new Map<string, Value>();
  private older = new Map<string, Value>();
  /** The ends of the last misses. */
  private readonly misses: LastSeen;
  private readonly capacity: number;
  private readonly longest: number;

  /**
   * @param capacity entries of a generation, and misses that are remembered.
   * @param longest bytes of the longest key that is kept.
   */
  constructor(capacity: number, longest: number) {
    this.capacity = capacity;
    this.longest = longest;
    this.misses = new LastSeen(capacity);
  }

  /** @param bytes one character a byte. @returns what was kept for exactly these bytes, if it still is. */
  get(bytes: string): Value | undefined {
    const value = this.younger.get(bytes);
    if (value !== undefined || this.older.size === 0) return value;
    const old = this.older.get(bytes);
    if (old !== undefined) this.keep(bytes, old);
    return old;
  }

  /** Keeps a value when its bytes are offered for the second time. It may be handed out many times and must not change. */
  add(bytes: string, value: Value): void {
    if (bytes.length > this.longest) return;
    if (this.misses.again(bytes.slice(-tailLength))) this.keep(bytes, value);
  }

  /** Keeps a value now. */
  keep(bytes: string, value: Value): void {
    if (bytes.length > this.longest) return;
    if (this.younger.size >= this.capacity) {
      this.older = this.younger;
      this.younger = new Map();
    }
    this.younger.set(bytes, value);
  }

  /** Forgets everything. */
  clear(): void {
    this.younger.clear();
    this.older.clear();
    this.misses.clear();
  }
}
