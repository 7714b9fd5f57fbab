/**
 * The history of one key: for each interval of the last day, the smallest, the largest and the last of its values. They
 * are in a ring of numbers whose size never changes. An interval begins with the value that the one before ended with,
 * so a key that nobody changes needs no work.
 */

/** ms that a history reaches back. */
export const day = 86_400_000;

/** ms of the intervals that a history may have. */
export const intervals: readonly number[] = [60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000];

/** @returns how many intervals make up a day, besides the one that has just begun. */
export function placesOf(interval: number): number {
  return day / interval + 1;
}

/** The numbers of an interval. */
export interface Span {
  minimum: number;
  maximum: number;
  last: number;
}

/** Values of a key with a few values are their numbers in one byte. This one is for none. */
const noByte = 255;
/** The largest number of values that a key may have for that. */
export const mostChoices = noByte;

/** Consecutive intervals that are alike, in JSON: the number of the first one, how many, and their numbers. */
export type Run = readonly [first: number, count: number, minimum: number, maximum: number, last: number];

export class Series {
  readonly interval: number;
  /** Bytes of a value: 4 for any number, in single precision, and 1 for the number of a choice. */
  readonly size: 1 | 4;
  /** Three for each interval, by the number of the interval modulo `places`. */
  private readonly numbers: Float32Array | Uint8Array;
  private readonly places: number;
  /** The number of the latest interval: how many have passed by the clock of the loop. -1 before the first value. */
  private at = -1;
  /** What the key is now; undefined while nobody knows. */
  private level: number | undefined;

  constructor(interval: number, size: 1 | 4) {
    this.interval = interval;
    this.size = size;
    this.places = placesOf(interval);
    this.numbers = size === 1 ? new Uint8Array(3 * this.places) : new Float32Array(3 * this.places);
    this.numbers.fill(size === 1 ? noByte : Number.NaN);
  }

  /** @param now ms on the clock of the loop. @param value what the key is from now on; undefined if nobody knows. */
  set(now: number, value: number | undefined): void {
    this.advance(now);
    this.level = value;
    if (value !== undefined) this.merge(this.at, value, value, value);
  }

  /** Ends the intervals that have passed. */
  advance(now: number): void {
    const at = Math.floor(now / this.interval);
    if (this.at < 0) this.at = at;
    // What is older than a day is written over all the same.
    if (at - this.at > this.places) this.at = at - this.places;
    const { level } = this;
    while (this.at < at) {
      this.at += 1;
      this.clear(this.at);
      if (level !== undefined) this.merge(this.at, level, level, level);
    }
  }

  /** The number of the latest interval, and of the oldest one that may have values. */
  get last(): number {
    return this.at;
  }

  get first(): number {
    return Math.max(0, this.at - this.places + 1);
  }

  /** @returns the values of an interval from `first` to `last`; undefined if it has none. */
  span(number: number): Span | undefined {
    const { numbers, size } = this;
    const place = 3 * (number % this.places);
    const minimum = numbers[place] as number;
    if (size === 1 ? minimum === noByte : Number.isNaN(minimum)) return undefined;
    return { minimum, maximum: numbers[place + 1] as number, last: numbers[place + 2] as number };
  }

  /** Takes over the values of another one, whose intervals may be longer or shorter. @param begun @param now as `add`. */
  takeOver(other: Series, begun: number, now: number): void {
    for (const run of other.runs()) this.add(run, other.interval, begun, now);
    this.level = other.level;
  }

  /** @returns its values in their order, oldest first. */
  runs(): readonly Run[] {
    const runs: Run[] = [];
    for (let number = this.first; number <= this.at; number++) {
      const span = this.span(number);
      if (span === undefined) continue;
      const { minimum, maximum, last } = span;
      const run = runs.at(-1);
      const [first, count] = run ?? [0, 0];
      const isAlike = run?.[2] === minimum && run[3] === maximum && run[4] === last;
      if (isAlike && first + count === number) runs[runs.length - 1] = [first, count + 1, minimum, maximum, last];
      else runs.push([number, 1, minimum, maximum, last]);
    }
    return runs;
  }

  /**
   * Adds values of an earlier series. Each run is later than those that were added before.
   * @param interval its ms.
   * @param begun when the device began to record, and `now`, in ms: its first and its last interval are not whole.
   */
  add([first, count, minimum, maximum, last]: Run, interval: number, begun: number, now: number): void {
    const begin = Math.floor(Math.max(first * interval, begun) / this.interval);
    const end = Math.floor(Math.min((first + count) * interval - 1, now) / this.interval);
    // What is older than a day has no place: it would be taken for what is a day later.
    for (let number = Math.max(begin, end - this.places + 1, this.first); number <= end; number++) {
      if (this.at < number) this.advance(number * this.interval);
      this.merge(number, minimum, maximum, last);
    }
  }

  private clear(number: number): void {
    this.numbers.fill(
      this.size === 1 ? noByte : Number.NaN,
      3 * (number % this.places),
      3 * (number % this.places) + 3,
    );
  }

  private merge(number: number, minimum: number, maximum: number, last: number): void {
    const { numbers } = this;
    const place = 3 * (number % this.places);
    const span = this.span(number);
    numbers[place] = span === undefined ? minimum : Math.min(span.minimum, minimum);
    numbers[place + 1] = span === undefined ? maximum : Math.max(span.maximum, maximum);
    numbers[place + 2] = last;
  }
}
