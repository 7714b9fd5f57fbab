/** Allowed hosts: what a page gets that had its own name resolve to the device (DNS rebinding). */

import { expect, test } from "vitest";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import type { Response } from "../harness/response.ts";
import { forAllTests } from "../harness/served.ts";
import { nouns } from "../wire/nouns.ts";

const nound = forAllTests(async () => {
  return await startNound({ access: { hosts: ["hall.example", "192.0.2.7:8080"] }, nouns });
});

async function answer(request: string): Promise<Response> {
  const connection = await RawConnection.open(nound().address);
  connection.send(request);
  return await connection.response();
}

test.each([
  "GET /led HTTP/1.1\r\nHost: hall.example\r\n\r\n",
  "GET /led HTTP/1.1\r\nhost: HALL.EXAMPLE:8443\r\n\r\n",
  "GET /led HTTP/1.1\r\nHost: 192.0.2.7:8080\r\n\r\n",
  "GET http://hall.example/led HTTP/1.1\r\nHost: evil.example\r\n\r\n",
])("%j is answered", async (request) => {
  expectState(await answer(request), { led: 0 });
});

test.each([
  "GET /led HTTP/1.1\r\nHost: evil.example\r\n\r\n",
  "GET /led HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
  "GET /led HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "GET /led HTTP/1.1\r\nHost: 192.0.2.7\r\n\r\n",
  "GET http://evil.example/led HTTP/1.1\r\nHost: hall.example\r\n\r\n",
  "PUT /canary HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: 15\r\n" +
    '\r\n{"alive":false}',
])("%j gets 421, and nothing is done", async (request) => {
  const connection = await RawConnection.open(nound().address);
  connection.send(request);
  expectProblem(await connection.response(), 421, "keep");
  connection.send("GET /canary HTTP/1.1\r\nHost: hall.example\r\n\r\n");
  expectState(await connection.response(), { alive: true });
});

test("one connection may carry both, in order", async () => {
  const connection = await RawConnection.open(nound().address);
  const get = (host: string) => `GET /led HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  connection.send(get("hall.example") + get("evil.example") + get("hall.example"));
  const statuses = [await connection.response(), await connection.response(), await connection.response()];
  expect(statuses.map(({ status }) => status)).toEqual([200, 421, 200]);
});
