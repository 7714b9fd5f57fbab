/** The time that a client has for a head. */
import { describe, test } from "vitest";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";
import { ample, drip, letPass, openWith, times } from "../harness/time-limits.ts";
import { nouns, stillState } from "../wire/nouns.ts";

describe("the time for a head", () => {
  const nound = forAllTests(() =>
    startNound({ nouns, limits: { headersTimeout: times.headersTimeout, bodyTimeout: ample } }),
  );

  test.each([
    ["one byte", "G"],
    ["half a request line", "GET /sti"],
    ["a request line", "GET /still HTTP/1.1\r\n"],
    ["all but the last byte", get("/still").slice(0, -1)],
  ])("ends in 408 after %s", async (_, bytes) => {
    const connection = await openWith(nound(), bytes);
    expectProblem(await connection.response(), 408, "close");
    await connection.closedInOrder();
  });

  test("ends also when no byte has come since the accept, with 408 or without a word", async () => {
    const connection = await RawConnection.open(nound().address);
    await connection.gone();
    if (connection.unread !== "") {
      expectProblem(await connection.response(), 408, "close");
    }
    await connection.closedInOrder();
  });

  test("is not prolonged by a byte now and then", async () => {
    const connection = await openWith(nound(), "GET /still HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    drip(connection, "a");
    expectProblem(await connection.response(), 408, "close");
    await connection.closedInOrder();
  });

  test("runs again from the first byte of each further head", async () => {
    const connection = await openWith(nound(), get("/still"));
    expectState(await connection.response(), stillState);
    // An idle connection is not one whose head is late.
    await letPass(nound(), "G");
    connection.send(get("/still"));
    expectState(await connection.response(), stillState);
    await letPass(nound(), "G");
    connection.send("GET /st");
    expectProblem(await connection.response(), 408, "close");
  });

  test("runs for a head that began behind a complete request", async () => {
    const connection = await openWith(nound(), `${get("/still")}GET /st`);
    expectState(await connection.response(), stillState);
    expectProblem(await connection.response(), 408, "close");
    await connection.closedInOrder();
  });
});
