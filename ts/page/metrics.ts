/** Reads metrics in the text format of Prometheus. */

/** @returns a metric without labels; undefined if it is missing. */
export function metricIn(metrics: string, name: string): number | undefined {
  const value = new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1];
  return value === undefined ? undefined : Number(value);
}
