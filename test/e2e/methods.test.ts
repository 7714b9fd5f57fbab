/** Methods other than the four. */
import { expect, test } from "vitest";
import { nouns } from "./harness/configuration.ts";
import { expectProblem } from "./harness/expected-response.ts";
import { startNound } from "./harness/nound-process.ts";
import { RawConnection } from "./harness/raw-connection.ts";
import { request } from "./harness/request.ts";
import { testSamples } from "./harness/sample-suite.ts";
import { forThisTest } from "./harness/served.ts";

testSamples("method");

test("every answer to HEAD ends with its head, whatever its status", async () => {
  const nound = forThisTest(await startNound({ nouns }));
  const connection = await RawConnection.open(nound.address);
  const rows: [bytes: string, status: number][] = [
    [request("HEAD", "/led"), 405],
    [request("HEAD", "/zqx"), 404],
    [request("HEAD", "/"), 404],
    [request("HEAD", "/led?zqx"), 400],
  ];
  // All at once: a body would be taken for the next status line, which the strict reader refuses.
  connection.send(rows.map(([bytes]) => bytes).join(""));
  for (const [, status] of rows) {
    expectProblem(await connection.response("HEAD"), status, "keep", "HEAD");
  }
  connection.send("HEAD /led HTTP/1.1\r\nHost: zqx@\r\n\r\n");
  expectProblem(await connection.response("HEAD"), 400, "close", "HEAD");
  await connection.closedInOrder();
});

test("a preflight of a foreign origin grants nothing", async () => {
  const nound = forThisTest(await startNound({ nouns }));
  const connection = await RawConnection.open(nound.address);
  const fields = "Origin: http://example.com\r\nAccess-Control-Request-Method: PUT\r\n";
  connection.send(request("OPTIONS", "/led", fields));
  const response = await connection.response();
  expectProblem(response, 405, "keep");
  expect([...response.fields.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
});
