/**
 * What was made of the bytes seen lately. A client repeats itself: what it sent a moment ago, byte for byte, need not be parsed
 * again. docs/performance.md has the figures.
 *
 * The table is two generations of a bounded number of entries. What is asked for stays; what is not is gone once the younger
 * generation has filled up twice. A client that never repeats itself costs the room of two generations and no more.
 */

/** See the module's description. */
export class Recent<Value> {
  private younger = new Map<string, Value>();
  private older = new Map<string, Value>();
  private readonly capacity: number;
  private readonly longest: number;

  /**
   * @param capacity entries of a generation.
   * @param longest bytes of the longest key that is kept.
   */
  constructor(capacity: number, longest: number) {
    this.capacity = capacity;
    this.longest = longest;
  }

  /** @param bytes one character a byte. @returns what was kept for exactly these bytes, if it still is. */
  get(bytes: string): Value | undefined {
    const value = this.younger.get(bytes);
    if (value !== undefined || this.older.size === 0) return value;
    const old = this.older.get(bytes);
    if (old !== undefined) this.add(bytes, old);
    return old;
  }

  /** Keeps a value; it may be handed out many times and must not change. */
  add(bytes: string, value: Value): void {
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
  }
}
