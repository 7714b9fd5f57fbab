/** Fake time: it passes only when a test says so. */
import { world } from "../../native/simulated/world.ts";

/** Taken when this module is loaded: a test framework's fake timers must not stop it. */
const { setImmediate: schedule } = globalThis as unknown as { setImmediate(callback: () => void): void };

/** Waits for a turn of Node's loop, in which every promise that can continue does so. */
function turn(): Promise<void> {
  return new Promise((resolve) => schedule(resolve));
}

/**
 * Lets fake time pass. It calls the timers that are due, in order, and lets what waits for each of them continue.
 * @param duration ms.
 *
 * @example
 * await request(server, { method: "PUT", path: "/pump", body: { pump: 1 } });
 * await advance(30_000); // the lease
 * expect(pin("GPIO17").level).toBe(0);
 */
export async function advance(duration: number): Promise<void> {
  const { clock } = world();
  const end = clock.now() + duration;
  await turn();
  for (let next = clock.nextMoment; next <= end; next = clock.nextMoment) {
    clock.advance(Math.max(0, next - clock.now()));
    await turn();
  }
  clock.advance(end - clock.now());
}
