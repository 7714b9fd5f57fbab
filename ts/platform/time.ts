/** Time for an application. In tests, time passes when the test says so. */
import { loop } from "./platform.ts";

/**
 * Milliseconds since a fixed moment. This clock never jumps. `Date` jumps when the device gets the time from a time
 * server.
 *
 * @example
 * const pressedAt = now();
 * const held = now() - pressedAt;
 */
export function now(): number {
  return loop.now();
}

/**
 * Waits, while everything else continues.
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
