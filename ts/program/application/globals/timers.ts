/**
 * The timers of the web (HTML, 8.7), on the loop's clock, which never jumps. In tests, time passes when the test says
 * so. Each callback is an interruptible call, because it is an author's code.
 */
import { interruption, loop } from "../../../platform/platform.ts";

/** ms of the shortest interval. An interval of 0 would leave the loop no time for anything else. */
const shortestInterval = 1;

function assertFunction(callback: unknown): void {
  if (typeof callback !== "function") throw new TypeError("A timer takes a function and a delay in ms.");
}

/** Calls back once, no earlier than `delay` ms from now. @returns what `clearTimeout` takes. */
export function setTimeout<Args extends readonly unknown[]>(
  callback: (...args: Args) => void,
  delay = 0,
  ...args: Args
): number {
  assertFunction(callback);
  return loop.setTimer(() => interruption.call(callback, ...args), delay);
}

/** Cancels a timer. Does nothing to a timer that has fired or was cleared. */
export function clearTimeout(timer?: number): void {
  if (timer === undefined) return;
  loop.clearTimer(intervals.get(timer) ?? timer);
  intervals.delete(timer);
}

/** The timer of each interval that runs now, by the first timer of the interval, which identifies it. */
const intervals = new Map<number, number>();

/** Calls back repeatedly, `delay` ms from one call to the next. @returns what `clearInterval` takes. */
export function setInterval<Args extends readonly unknown[]>(
  callback: (...args: Args) => void,
  delay = 0,
  ...args: Args
): number {
  assertFunction(callback);
  const interval = Math.max(shortestInterval, delay);
  const name = loop.setTimer(tick, interval);
  intervals.set(name, name);
  function tick(): void {
    // The next is set first: a callback that throws once must not end the repetition.
    intervals.set(name, loop.setTimer(tick, interval));
    interruption.call(callback, ...args);
  }
  return name;
}

/** Ends an interval. Does nothing to an interval that has ended. */
export const clearInterval = clearTimeout;
