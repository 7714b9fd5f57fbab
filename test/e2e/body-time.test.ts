/** The time that a client has for a body. */

import { describe, expect, test } from "vitest";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put, request } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";
import { ample, drip, letPass, times } from "../harness/time-limits.ts";
import { nouns } from "../wire/nouns.ts";

describe("the time for a body", () => {
  const nound = forAllTests(() =>
    startNound({ nouns, limits: { headersTimeout: ample, bodyTimeout: times.bodyTimeout } }),
  );

  test.each([
    ["no byte", 0],
    ["one byte", 1],
    ["all but the last byte", 18],
  ])("ends in 408 after %s, and nothing is executed", async (_, length) => {
    const whole = put("/canary", { executed: true });
    const body = '{"executed":true}';
    const connection = await RawConnection.open(nound().address);
    connection.send(whole.slice(0, whole.length - body.length + Math.min(length, body.length - 1)));
    expectProblem(await connection.response(), 408, "close");
    connection.send(body.slice(-1));
    await connection.closedInOrder();
    const other = await RawConnection.open(nound().address);
    other.send(get("/canary"));
    expectState(await other.response(), nouns.canary.default);
  });

  test("is not prolonged by a byte now and then", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(request("PUT", "/note", "Content-Type: application/json\r\nContent-Length: 4000\r\n"));
    drip(connection, " ");
    expectProblem(await connection.response(), 408, "close");
    await connection.closedInOrder();
  });

  test("runs also while the server waits behind 100 Continue", async () => {
    const connection = await RawConnection.open(nound().address);
    const fields = "Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n";
    connection.send(request("PUT", "/note", fields));
    const response = await connection.response();
    expect(response.interim).toEqual([100]);
    expectProblem(response, 408, "close");
  });

  test("does not run on into the next request", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(put("/note", { a: 1 }));
    expectState(await connection.response(), { a: 1 });
    await letPass(nound(), put("/note", { a: 1 }).slice(0, -1));
    connection.send(get("/note"));
    expectState(await connection.response(), { a: 1 });
  });
});
