/** Time limits of a server under test: set short, and judged with a wide margin. */
import { expect, onTestFinished } from "vitest";
import { slowness } from "./environment.ts";
import type { RawConnection } from "./raw-connection.ts";

/** Short limits, in ms, as they are set in the tests of the limits themselves. */
export const times = { headersTimeout: 400 * slowness, bodyTimeout: 400 * slowness, keepAliveTimeout: 800 * slowness };

/** A limit, in ms, that no test reaches. */
export const ample = 60_000;

/** Expects that a limit of `limit` ms has just run out: not before its time, and not so late that it was another limit. */
export function expectElapsed(since: number, limit: number): void {
  const elapsed = performance.now() - since;
  expect(elapsed).toBeGreaterThan(limit * 0.9);
  expect(elapsed).toBeLessThan(limit * 0.9 + 4_000 * slowness);
}

/** Sends one byte now and one each 50 ms, until the test ends or the server closes. */
export function drip(connection: RawConnection, bytes: string): void {
  let sent = 0;
  const timer = setInterval(() => {
    connection.send(bytes.charAt(sent % bytes.length));
    sent += 1;
  }, 50 * slowness);
  onTestFinished(() => clearInterval(timer));
}
