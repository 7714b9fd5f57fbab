/** A turn of Node's own loop, in which every promise that can go on does. */

/** Taken when this module is loaded: a test framework's fake timers must not stop it. */
const { setImmediate: schedule } = globalThis as unknown as { setImmediate(callback: () => void): void };

/** @returns a promise that is kept when all that waits for nothing but a turn has had it. */
export function turn(): Promise<void> {
  return new Promise((resolve) => schedule(resolve));
}
