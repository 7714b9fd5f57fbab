/** Time, as an application has it. In tests it passes when the test says so. */
import type { TimerId } from "../native/loop.ts";
import { loop } from "./platform.ts";

/**
 * The milliseconds since some fixed moment. They never step back, unlike those of `Date`, which a device without a battery sets
 * when it finds a time server.
 *
 * @example
 * const pressedAt = now();
 * const held = now() - pressedAt;
 */
export function now(): number {
  return loop.now();
}

/**
 * Calls back once, no earlier than `delay` ms from now.
 *
 * @example
 * const timer = setTimer(() => pump.setValue(0), 5_000);
 */
export function setTimer(callback: () => void, delay: number): TimerId {
  return loop.setTimer(callback, delay);
}

/**
 * Forgets a timer. One that has fired or was cleared is left alone.
 *
 * @example
 * clearTimer(timer);
 */
export function clearTimer(timer: TimerId): void {
  loop.clearTimer(timer);
}

/**
 * Calls back again and again.
 * @param interval ms from one call to the next.
 * @returns what ends it.
 *
 * @example
 * const stop = repeat(500, () => led.setValue(led.getValue() === 1 ? 0 : 1));
 * stop();
 */
export function repeat(interval: number, callback: () => void): () => void {
  // The next is set first: a callback that throws once must not end the repetition.
  let timer = loop.setTimer(tick, interval);
  function tick(): void {
    timer = loop.setTimer(tick, interval);
    callback();
  }
  return () => loop.clearTimer(timer);
}

/**
 * Waits, while everything else goes on.
 * @param time ms.
 *
 * @example
 * valve.setValue(1);
 * await sleep(2_000);
 * valve.setValue(0);
 */
export function sleep(time: number): Promise<void> {
  return new Promise((resolve) => loop.setTimer(resolve, time));
}
