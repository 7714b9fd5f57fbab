/**
 * Bounds on time, in ms. They are judged by `npm run test:time` alone: there nothing else runs on the machine. Any
 * other run tests only the order of events.
 */
import { loadavg } from "node:os";
import { expect } from "vitest";

/** Whether this run judges how long something takes. */
export const judgesTime = process.env["NOUND_JUDGE_TIME"] !== undefined;

/** The middle of the values; of an even number of them, the upper one of the two in the middle. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * Prints what was measured, in ms, and the machine's load; judges the median of `times` where this run judges time.
 * @returns the median.
 */
export function expectMedian(subject: string, times: readonly number[], bound: number): number {
  const measured = median(times);
  const [load = Number.NaN] = loadavg();
  const listed = times.map((time) => time.toFixed(1)).join(", ");
  console.log(`${subject}: ${measured.toFixed(1)} ms in the median of ${listed}; load ${load.toFixed(2)}`);
  if (judgesTime) expect(measured, subject).toBeLessThan(bound);
  return measured;
}
