/**
 * Time limits of a server under test, and its clients that make them run out. That one has run out is told by what the
 * server does.
 */
import { onTestFinished } from "vitest";
import { slowness } from "./environment.ts";
import { eventually } from "./eventually.ts";
import type { NoundProcess } from "./nound-process.ts";
import { statusWords } from "./process-status.ts";
import { RawConnection } from "./raw-connection.ts";

/** Short limits, in ms, as they are set in the tests of the limits themselves. */
export const times = { headersTimeout: 400 * slowness, bodyTimeout: 400 * slowness, keepAliveTimeout: 800 * slowness };

/** A limit, in ms, that no test reaches: longer than a test waits for anything. */
export const ample = 600_000;

/**
 * Connects and sends while the program is stopped. It accepts the connection with these bytes, however late this
 * process is between the two: the time for a first head runs from the accept.
 */
export async function openWith(nound: NoundProcess, bytes: string): Promise<RawConnection> {
  nound.signal("SIGSTOP");
  try {
    await eventually("the program is stopped", () => statusWords(nound.pid, "State")[0] === "T");
    const connection = await RawConnection.open(nound.address);
    connection.send(bytes);
    await eventually("the kernel has the bytes", () => connection.takenBytes === bytes.length);
    return connection;
  } finally {
    nound.signal("SIGCONT");
  }
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
