/** The times a client has, each set short here and judged with a wide margin. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { nouns } from "./harness/configuration.ts";
import { slowness } from "./harness/environment.ts";
import { expectProblem, expectState } from "./harness/expected-response.ts";
import { startNound } from "./harness/nound-process.ts";
import { RawConnection } from "./harness/raw-connection.ts";
import { get, put, request } from "./harness/request.ts";
import { forAllTests } from "./harness/served.ts";
import { stillState } from "./requests/sample.ts";

const times = { headTime: 400 * slowness, bodyTime: 400 * slowness, idleTime: 800 * slowness };
const ample = 60_000;

/** Expects that a limit of `limit` ms has just run out: not before its time, and not so late that it was another limit. */
function expectElapsed(since: number, limit: number): void {
  const elapsed = performance.now() - since;
  expect(elapsed).toBeGreaterThan(limit * 0.9);
  expect(elapsed).toBeLessThan(limit * 0.9 + 4_000 * slowness);
}

/** Sends one byte now and one each 50 ms, until the test ends or the server closes. */
function drip(connection: RawConnection, bytes: string): void {
  let sent = 0;
  const timer = setInterval(() => {
    connection.send(bytes.charAt(sent % bytes.length));
    sent += 1;
  }, 50 * slowness);
  onTestFinished(() => clearInterval(timer));
}

describe("the time for a head", () => {
  const nound = forAllTests(() => startNound({ nouns, limits: { headTime: times.headTime, bodyTime: ample } }));

  test.each([
    ["one byte", "G"],
    ["half a request line", "GET /sti"],
    ["a request line", "GET /still HTTP/1.1\r\n"],
    ["all but the last byte", get("/still").slice(0, -1)],
  ])("ends in 408 after %s", async (_, bytes) => {
    const since = performance.now();
    const connection = await RawConnection.open(nound().address);
    connection.send(bytes);
    expectProblem(await connection.response(), 408, "close");
    expectElapsed(since, times.headTime);
    await connection.closedInOrder();
  });

  test("ends also when no byte has come since the accept, with 408 or without a word", async () => {
    const since = performance.now();
    const connection = await RawConnection.open(nound().address);
    await connection.gone();
    expectElapsed(since, times.headTime);
    if (connection.unread !== "") {
      expectProblem(await connection.response(), 408, "close");
    }
    await connection.closedInOrder();
  });

  test("is not prolonged by a byte now and then", async () => {
    const since = performance.now();
    const connection = await RawConnection.open(nound().address);
    connection.send("GET /still HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    drip(connection, "a");
    expectProblem(await connection.response(), 408, "close");
    expectElapsed(since, times.headTime);
    await connection.closedInOrder();
  });

  test("runs anew from the first byte of each further head", async () => {
    const connection = await RawConnection.open(nound().address);
    for (let round = 0; round < 2; round++) {
      connection.send(get("/still"));
      expectState(await connection.response(), stillState);
      // The time itself is the subject here: an idle connection is not one whose head is late.
      await delay(times.headTime * 1.5);
    }
    const since = performance.now();
    connection.send("GET /st");
    expectProblem(await connection.response(), 408, "close");
    expectElapsed(since, times.headTime);
  });

  test("runs for a head that began behind a complete request", async () => {
    const connection = await RawConnection.open(nound().address);
    const since = performance.now();
    connection.send(`${get("/still")}GET /st`);
    expectState(await connection.response(), stillState);
    expectProblem(await connection.response(), 408, "close");
    expectElapsed(since, times.headTime);
    await connection.closedInOrder();
  });
});

describe("the time for a body", () => {
  const nound = forAllTests(() => startNound({ nouns, limits: { headTime: ample, bodyTime: times.bodyTime } }));

  test.each([
    ["no byte", 0],
    ["one byte", 1],
    ["all but the last byte", 18],
  ])("ends in 408 after %s, and nothing is executed", async (_, length) => {
    const whole = put("/canary", { executed: true });
    const body = '{"executed":true}';
    const connection = await RawConnection.open(nound().address);
    const since = performance.now();
    connection.send(whole.slice(0, whole.length - body.length + Math.min(length, body.length - 1)));
    expectProblem(await connection.response(), 408, "close");
    expectElapsed(since, times.bodyTime);
    connection.send(body.slice(-1));
    await connection.closedInOrder();
    const other = await RawConnection.open(nound().address);
    other.send(get("/canary"));
    expectState(await other.response(), nouns.canary.default);
  });

  test("is not prolonged by a byte now and then", async () => {
    const connection = await RawConnection.open(nound().address);
    const since = performance.now();
    connection.send(request("PUT", "/note", "Content-Type: application/json\r\nContent-Length: 4000\r\n"));
    drip(connection, " ");
    expectProblem(await connection.response(), 408, "close");
    expectElapsed(since, times.bodyTime);
    await connection.closedInOrder();
  });

  test("runs also while the server waits behind 100 Continue", async () => {
    const connection = await RawConnection.open(nound().address);
    const since = performance.now();
    const fields = "Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n";
    connection.send(request("PUT", "/note", fields));
    const response = await connection.response();
    expect(response.interim).toEqual([100]);
    expectProblem(response, 408, "close");
    expectElapsed(since, times.bodyTime);
  });

  test("does not run on into the next request", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(put("/note", { a: 1 }));
    expectState(await connection.response(), { a: 1 });
    await delay(times.bodyTime * 1.5);
    connection.send(get("/note"));
    expectState(await connection.response(), { a: 1 });
  });
});

describe("the time a connection may be idle", () => {
  const limits = { headTime: ample, bodyTime: ample, idleTime: times.idleTime };
  const nound = forAllTests(() => startNound({ nouns, limits }));

  test("ends with FIN and without a word", async () => {
    const connection = await RawConnection.open(nound().address);
    const since = performance.now();
    connection.send(get("/still"));
    expectState(await connection.response(), stillState);
    await connection.closedInOrder();
    expectElapsed(since, times.idleTime);
  });

  test("starts again with each answer", async () => {
    const connection = await RawConnection.open(nound().address);
    for (let round = 0; round < 4; round++) {
      connection.send(get("/still"));
      expectState(await connection.response(), stillState);
      await delay(times.idleTime * 0.4);
    }
    const since = performance.now();
    connection.send(get("/still"));
    expectState(await connection.response(), stillState);
    await connection.closedInOrder();
    expectElapsed(since, times.idleTime);
  });

  test("does not run while a head is under way", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(get("/still"));
    expectState(await connection.response(), stillState);
    connection.send("GET /st");
    await delay(times.idleTime * 1.5);
    connection.send("ill HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expectState(await connection.response(), stillState);
  });
});
