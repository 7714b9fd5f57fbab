/** The time that a connection may be idle. */

import { setTimeout as delay } from "node:timers/promises";
import { describe, test } from "vitest";
import { nouns, stillState } from "../wire/nouns.ts";
import { ample, expectElapsed, times } from "./harness/elapsed.ts";
import { expectState } from "./harness/expected-response.ts";
import { startNound } from "./harness/nound-process.ts";
import { RawConnection } from "./harness/raw-connection.ts";
import { get } from "./harness/request.ts";
import { forAllTests } from "./harness/served.ts";

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

  test("starts again with each answer", async () => {
    const connection = await RawConnection.open(nound().address);
    const begun = performance.now();
    while (performance.now() - begun < times.keepAliveTimeout * 1.5) {
      connection.send(get("/still"));
      expectState(await connection.response(), stillState);
      // Much less than the time: a busy machine may make more of it.
      await delay(times.keepAliveTimeout * 0.1);
    }
    const since = performance.now();
    connection.send(get("/still"));
    expectState(await connection.response(), stillState);
    await connection.closedInOrder();
    expectElapsed(since, times.keepAliveTimeout);
  });

  test("does not run while a head is under way", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(get("/still"));
    expectState(await connection.response(), stillState);
    connection.send("GET /st");
    await delay(times.keepAliveTimeout * 1.5);
    connection.send("ill HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expectState(await connection.response(), stillState);
  });
});
