/** The time that a connection may be idle. */
import { describe, test } from "vitest";
import { expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";
import { ample, times } from "../harness/time-limits.ts";
import { nouns, stillState } from "../wire/nouns.ts";

describe("the time a connection may be idle", () => {
  const limits = { headersTimeout: ample, bodyTimeout: ample, keepAliveTimeout: times.keepAliveTimeout };
  const nound = forAllTests(() => startNound({ nouns, limits }));

  test("ends with FIN and without a word", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(get("/still"));
    expectState(await connection.response(), stillState);
    await connection.closedInOrder();
  });

  test("does not run while a head is under way", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(`${get("/still")}GET /st`);
    expectState(await connection.response(), stillState);
    const idle = await RawConnection.open(nound().address);
    idle.send(get("/still"));
    expectState(await idle.response(), stillState);
    await idle.closedInOrder();
    connection.send("ill HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expectState(await connection.response(), stillState);
  });
});
