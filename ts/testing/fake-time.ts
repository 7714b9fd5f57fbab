/** Fake time: it passes only when a test says so. */
import { world } from "../native/simulated/world.ts";
import { turn } from "./turn.ts";

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
