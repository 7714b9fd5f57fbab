/**
 * When a device connects next, and to which address. All waits are random, so that a thousand devices do not come back
 * to a broker at once.
 */

/** ms of the longest wait, and of the shortest after a round in vain. */
const longestWait = 60_000;
const shortestWait = 1_000;

/** One address, with or without the session that the broker may have. */
export interface Attempt {
  /** The number of the address. */
  readonly target: number;
  readonly cleanStart: boolean;
}

export class Attempts {
  private readonly count: number;
  private readonly spread: number;
  private readonly random: () => number;
  /** What is left to try before the next wait. */
  private left: Attempt[] = [];
  /** Waits since the last long connection. */
  private waits = 0;

  /**
   * @param count how many addresses there are. @param spread ms of the longest first wait. @param random gives numbers
   *   from 0 up to 1.
   */
  constructor(count: number, spread: number, random: () => number) {
    this.count = count;
    this.spread = spread;
    this.random = random;
  }

  /** Whether none is left. */
  get areOver(): boolean {
    return this.left.length === 0;
  }

  /**
   * Begins a round: all addresses.
   * @param first the number of the first one, which may be too large; a random one if left out.
   */
  begin(cleanStart: boolean, first = Math.floor(this.random() * this.count)): void {
    const { count } = this;
    this.left = Array.from({ length: count }, (_, index) => ({ target: (first + index) % count, cleanStart }));
  }

  /** @returns the next attempt; undefined if all addresses have been tried. */
  next(): Attempt | undefined {
    return this.left.shift();
  }

  /** Makes an attempt the next one. */
  repeat(attempt: Attempt): void {
    this.left.unshift(attempt);
  }

  /** A connection was long enough: the next wait is short again. */
  settle(): void {
    this.waits = 0;
  }

  /**
   * @returns ms to wait before the next round. The longest possible wait grows from one to the next. The first one may
   *   be short, the others are not: so the first and the second attempts of a fleet do not come together.
   */
  wait(): number {
    const { waits, spread } = this;
    this.waits = Math.min(waits + 1, 16);
    const least = waits === 0 ? 0 : Math.min(longestWait, Math.max(shortestWait, spread / 2));
    const most = Math.max(least, Math.min(longestWait, spread * 2 ** waits));
    return least + this.random() * (most - least);
  }

  /** @returns ms to wait after the start. */
  firstWait(): number {
    return this.random() * this.spread;
  }
}
