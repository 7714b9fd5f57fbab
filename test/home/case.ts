/** A case: what a device does at a real Home Assistant. */
import type { House } from "./house.ts";

export interface HomeCase {
  readonly name: string;
  /** Whether the newest version alone is judged by it. */
  readonly isForNewest?: boolean;
  /** Begins what takes long, before all cases. */
  prepare?(house: House): Promise<void>;
  /** @returns what was seen, for people. @throws Error if the device does not do what it should. */
  run(house: House): Promise<string>;
}

/** @throws Error with what was expected, if it is not so. */
export function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

/** @throws Error if two values differ as JSON. */
export function mustEqual(what: string, seen: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${what} is ${one}, not ${other}`);
}

/** @returns the number in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
