/** Random numbers that tell nobody anything. */
import { system } from "./platform.ts";

/**
 * Not Math.random: its numbers tell when the engine started.
 * @returns a number from 0 up to 1; 0 where the kernel has none, as before Linux 3.17 and in the first moments after
 *   boot.
 */
export function randomNumber(): number {
  try {
    return Number.parseInt(system.randomHex(4, false), 16) / 2 ** 32;
  } catch {
    return 0;
  }
}
