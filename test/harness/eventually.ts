/** Waits for events, and for states that no event announces. */
import { setTimeout as delay } from "node:timers/promises";
import { patience } from "./patience.ts";

/**
 * Told of each event that came: in a suite where a test that compares nothing has failed, a wait is a comparison
 * (test/e2e/awaited.ts). Programs that are no tests wait, too.
 */
export const awaited = { came: (): void => undefined };

function late(what: string): Error {
  return new Error(`Waited ${patience} ms in vain: ${what}.`);
}

/**
 * Polls `probe` until it gives something other than undefined or false.
 * @param what the state waited for, for the failure's message.
 * @throws Error when patience is at its end.
 */
export async function eventually<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (const deadline = performance.now() + patience; performance.now() < deadline; await delay(5)) {
    const found = await probe();
    if (found === undefined || found === false) continue;
    awaited.came();
    return found;
  }
  throw late(what);
}

/**
 * Rejects when patience is at its end before `promise` has settled.
 * @param what what was waited for, for the failure's message.
 */
export async function within<T>(what: string | (() => string), promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(typeof what === "string" ? what : what())), patience);
  });
  try {
    const result = await Promise.race([promise, end]);
    awaited.came();
    return result;
  } finally {
    clearTimeout(timer);
  }
}
