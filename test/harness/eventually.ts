/** Waits for a state that no event announces: asks again and again until it is there or the deadline has passed. */
import { setTimeout as delay } from "node:timers/promises";
import { allowance } from "./environment.ts";

/**
 * Polls `probe` until it gives something other than undefined or false.
 * @param what the state waited for, for the failure's message.
 * @param milliseconds the deadline on a native binary.
 * @throws Error when the deadline passes.
 */
export async function eventually<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  milliseconds = 10_000,
): Promise<T> {
  const deadline = performance.now() + allowance(milliseconds);
  for (;;) {
    // The last look begins after the deadline: this process may have been stopped between a look and the next.
    const isLast = performance.now() > deadline;
    const found = await probe();
    if (found !== undefined && found !== false) {
      return found;
    }
    if (isLast) {
      throw new Error(`Waited ${allowance(milliseconds)} ms in vain: ${what}.`);
    }
    await delay(5);
  }
}

/**
 * Calls back when a time has passed, and what had come by then has been read. After a stall of this process, timers are due
 * before that.
 * @param milliseconds as they are, whatever is slow.
 */
export function deadlineIn(milliseconds: number, callback: () => void): NodeJS.Timeout {
  // A child's end is told in the turn after the one that reads its pipes to their ends.
  return setTimeout(() => setImmediate(() => setImmediate(callback)), milliseconds);
}

/**
 * Rejects when `promise` has not settled in time.
 * @param what what was waited for, for the failure's message.
 * @param milliseconds the deadline on a native binary.
 */
export async function within<T>(what: string, promise: Promise<T>, milliseconds = 10_000): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = deadlineIn(allowance(milliseconds), () =>
      reject(new Error(`Waited ${allowance(milliseconds)} ms in vain: ${what}.`)),
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
