/** The few statistics that the benchmark needs. */

/**
 * @returns the middle of the values, the mean of both middle ones when their number is even. @throws RangeError for
 * none.
 */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.ceil(sorted.length / 2) - 1];
  const high = sorted[Math.floor(sorted.length / 2)];
  if (low === undefined || high === undefined) {
    throw new RangeError("There is no median of no values.");
  }
  return (low + high) / 2;
}

/**
 * The median of the ratios that two series have, round by round. What slows a whole round down, such as another program
 * on the machine, cancels out of it, as it would not out of the ratio of two medians.
 * @throws RangeError when the series differ in length or are empty.
 */
export function medianRatio(numerators: readonly number[], denominators: readonly number[]): number {
  if (numerators.length !== denominators.length) {
    throw new RangeError("Two series are compared round by round: they must have as many values.");
  }
  return median(numerators.map((numerator, round) => numerator / (denominators[round] ?? Number.NaN)));
}
