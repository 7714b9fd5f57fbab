/** Allowed origins: preflights and answers, as browsers want them, to the byte. */

import { expect, test } from "vitest";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { forAllTests, forThisTest } from "../harness/served.ts";
import { nouns } from "../wire/nouns.ts";

const panel = "https://panel.example";
const nound = forAllTests(async () => await startNound({ access: { origins: [panel] }, nouns }));

const preflight = (origin: string): string =>
  `OPTIONS /led HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}\r\n` +
  "Access-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: content-type,authorization\r\n" +
  "Access-Control-Request-Private-Network: true\r\n\r\n";

test("a page of an allowed origin may ask, change a state and read the answer", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(preflight(panel));
  await connection.exactly(
    "HTTP/1.1 204 No Content\r\nCache-Control: no-store\r\n" +
      `Access-Control-Allow-Origin: ${panel}\r\nVary: Origin\r\n` +
      "Access-Control-Expose-Headers: Allow, ETag, Link, Retry-After\r\n" +
      "Access-Control-Allow-Methods: GET, PUT, POST, DELETE\r\n" +
      "Access-Control-Allow-Headers: Content-Type, Authorization, Last-Event-ID, If-None-Match\r\n" +
      "Access-Control-Max-Age: 600\r\n" +
      "Access-Control-Allow-Private-Network: true\r\n\r\n",
  );
  for (let round = 0; round < 4; round++) {
    connection.send(
      `PUT /led HTTP/1.1\r\nHost: localhost\r\nOrigin: ${panel}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"led":1}',
    );
    const response = await connection.response();
    expectState(response, { led: 1 });
    expect(response.fields.get("access-control-allow-origin")).toBe(panel);
    expect(response.fields.get("vary")).toBe("Origin");
    expect(response.fields.get("access-control-expose-headers")).toBe("Allow, ETag, Link, Retry-After");
  }
});

test("a page of another origin gets 403 for all it asks, and the answer allows it nothing", async () => {
  const connection = await RawConnection.open(nound().address);
  for (const request of [
    preflight("https://evil.example"),
    "GET /led HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n\r\n",
    "PUT /canary HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n" +
      'Content-Type: application/json\r\nContent-Length: 15\r\n\r\n{"alive":false}',
  ]) {
    connection.send(request);
    const response = await connection.response();
    expectProblem(response, 403, "keep");
    expect(response.bytes.toLowerCase()).not.toContain("access-control");
  }
  connection.send("GET /canary HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expectState(await connection.response(), { alive: true });
});

test("without the list, a preflight is an ordinary OPTIONS and no answer says anything of origins", async () => {
  const running = forThisTest(await startNound({ nouns }));
  const connection = await RawConnection.open(running.address);
  connection.send(preflight(panel));
  const plain = await connection.response();
  expect(plain.status).toBe(204);
  connection.send(`GET /led HTTP/1.1\r\nHost: localhost\r\nOrigin: ${panel}\r\n\r\n`);
  const read = await connection.response();
  expectState(read, { led: 0 });
  expect((plain.bytes + read.bytes).toLowerCase()).not.toMatch(/access-control|vary/);
});
