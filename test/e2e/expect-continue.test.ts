/** `Expect: 100-continue` (RFC 9110, 10.1.1). */

import { expect, test } from "vitest";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";
import { nouns, stillState } from "../wire/nouns.ts";

const nound = forAllTests(() => startNound({ nouns }));

function head(
  method: string,
  target: string,
  length: number,
  media = "application/json",
  expectation = "100-continue",
) {
  return (
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nExpect: ${expectation}\r\n` +
    `Content-Type: ${media}\r\nContent-Length: ${length}\r\n\r\n`
  );
}

test.each(["100-continue", "100-Continue", "100-CONTINUE"])("%s gets 100 Continue, then the answer", async (value) => {
  const connection = await RawConnection.open(nound().address);
  connection.send(head("PUT", "/led", 9, "application/json", value));
  await connection.exactly("HTTP/1.1 100 Continue\r\n\r\n");
  connection.send('{"led":1}');
  const response = await connection.response();
  expect(response.interim).toEqual([]);
  expectState(response, { led: 1 });
});

test("a body sent without waiting is answered, with at most one 100 Continue before", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(`${head("PUT", "/led", 9)}{"led":0}${get("/still")}`);
  const response = await connection.response();
  expect([[], [100]]).toContainEqual(response.interim);
  expectState(response, { led: 0 });
  const following = await connection.response();
  expect(following.interim).toEqual([]);
  expectState(following, stillState);
});

test("100 Continue comes only when the requests before it are answered", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(get("/still") + head("PUT", "/note", 7));
  const first = await connection.response();
  expect(first.interim).toEqual([]);
  expectState(first, stillState);
  await connection.exactly("HTTP/1.1 100 Continue\r\n\r\n");
  connection.send('{"a":1}');
  expectState(await connection.response(), { a: 1 });
});

test.each([
  ["an unknown noun", head("PUT", "/zqx", 9), 404],
  ["a method that is not allowed", head("PATCH", "/led", 9), 405],
  ["a method that is unknown", head("ZQX", "/led", 9), 501],
  ["another media type", head("PUT", "/led", 9, "text/plain"), 415],
  ["a body over the limit", head("PUT", "/led", 5_000), 413],
  ["a GET with a body", head("GET", "/led", 9), 400],
  ["a bad Content-Length", head("PUT", "/led", -1), 400],
  ["another expectation", head("PUT", "/led", 9, "application/json", "zqx"), 417],
])("%s gets its final error at once, without 100 Continue", async (_, bytes, status) => {
  const connection = await RawConnection.open(nound().address);
  connection.send(bytes);
  const response = await connection.response();
  expect(response.interim).toEqual([]);
  expectProblem(response, status, "open");
});

test("a body that turns out to be no state is refused after 100 Continue", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(head("PUT", "/led", 3));
  await connection.exactly("HTTP/1.1 100 Continue\r\n\r\n");
  connection.send(`zqx${get("/still")}`);
  expectProblem(await connection.response(), 400, "keep");
  expectState(await connection.response(), stillState);
});

test("an expectation on a request without a body holds nothing up", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send("GET /still HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n");
  expectState(await connection.response(), stillState);
});
