/** Times that a rule takes from nouns. */

/** ms of each unit that a key with a time may have. */
export const unitsOfTime: { readonly [unit: string]: number } = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 };

/** ms of a week, the longest time of a rule. */
export const week = 604_800_000;

/** ms between two runs that `every` may have. */
export const leastEvery = 100;

/** @param unit of the key that a value is of. @returns the ms; undefined without a number or a unit of time. */
export function msOf(value: unknown, unit: string | undefined): number | undefined {
  const factor = unitsOfTime[unit ?? ""];
  if (typeof value !== "number" || factor === undefined) return undefined;
  return Math.min(Math.max(0, Math.round(value * factor)), week);
}
