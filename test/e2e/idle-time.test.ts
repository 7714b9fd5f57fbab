/** The time that a connection may be idle. */

import { setTimeout as delay } from "node:timers/promises";
import { describe, test } from "vitest";
import { ample, expectElapsed, times } from "../harness/elapsed.ts";
import { expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";
import { nouns, stillState } from "../wire/nouns.ts";

describe("the time a connection may be idle", () => {
  const limits = { headersTimeout: ample, bodyTimeout: ample, keepAliveTimeout: times.keepAliveTimeout };
  const nound = forAllTests(() => startNound({ nouns, limits }));

  test("ends with FIN and without a word", async () => {
    const connection = await RawConnection.open(nound().address);
    const since = performance.now();
    connection.send(get("/still"));
    expectState(await connection.response(), stillState);
    await connection.closedInOrder();
    expectElapsed(since, times.keepAliveTimeout);
  });

  /**
   * Asks again and again for longer than the time.
   * @returns the connection and when it was asked last; undefined where the server has closed it, because this process was stopped and
   *   sent nothing for the time.
   */
  async function askForLong(): Promise<{ connection: RawConnection; since: number } | undefined> {
    const connection = await RawConnection.open(nound().address);
    const begun = performance.now();
    for (let last = begun; ; ) {
      const since = performance.now();
      connection.send(get("/still"));
      const silence = performance.now() - last;
      try {
        expectState(await connection.response(), stillState);
      } catch (error) {
        if (connection.closed && silence > times.keepAliveTimeout * 0.9) return undefined;
        throw error;
      }
      if (since - begun > times.keepAliveTimeout * 1.5) return { connection, since };
      last = since;
      await delay(times.keepAliveTimeout * 0.1);
    }
  }

  test("starts again with each answer", async () => {
    let asked = await askForLong();
    while (asked === undefined) asked = await askForLong();
    await asked.connection.closedInOrder();
    expectElapsed(asked.since, times.keepAliveTimeout);
  });

  test("does not run while a head is under way", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(`${get("/still")}GET /st`);
    expectState(await connection.response(), stillState);
    await delay(times.keepAliveTimeout * 1.5);
    connection.send("ill HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expectState(await connection.response(), stillState);
  });
});
