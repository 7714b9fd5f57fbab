/** A turn of Node's loop. In it, every promise that can continue does so. */

/** Taken when this module is loaded: a test framework's fake timers must not stop it. */
const { setImmediate: schedule } = globalThis as unknown as { setImmediate(callback: () => void): void };

/** @returns a promise. It is resolved when everything that waits only for a turn has had one. */
export function turn(): Promise<void> {
  return new Promise((resolve) => schedule(resolve));
}
