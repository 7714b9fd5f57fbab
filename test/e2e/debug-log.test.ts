/** The console: silent without the debug flag, a line for each thing that happens with it. */

import { expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { type NoundProcess, startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get } from "../harness/request.ts";
import { endedByThisTest } from "../harness/served.ts";
import { nouns, stillState } from "../wire/nouns.ts";

/**
 * Does something with a connection, drops it, and waits until a later connection shows up in the log. @returns the
 * lines.
 */
async function linesOf(nound: NoundProcess, use: (connection: RawConnection) => Promise<void>): Promise<string[]> {
  const start = nound.printed.length;
  const connection = await RawConnection.open(nound.address);
  const port = connection.localPort;
  await use(connection);
  connection.drop();
  // One thread serves in order: once a later request is logged, so is everything that came before it.
  const later = await RawConnection.open(nound.address);
  later.send(get("/empty"));
  expectState(await later.response(), {});
  await eventually("the later connection is logged", () =>
    nound.printed.slice(start).includes(`127.0.0.1:${later.localPort}`),
  );
  later.drop();
  const printed = await eventually("whole lines", () => nound.printed.endsWith("\n") && nound.printed.slice(start));
  const lines = printed.split("\n").filter((line) => line.includes(`127.0.0.1:${port}`));
  // The port's own digits must not be taken for a status.
  return lines.map((line) => line.replaceAll(String(port), "PORT"));
}

async function ask(connection: RawConnection, ...requests: string[]): Promise<void> {
  for (const bytes of requests) {
    connection.send(bytes);
    await connection.response();
  }
}

test("with --debug there is a line for the connection, each request and each refusal", async () => {
  const nound = endedByThisTest(await startNound({ nouns }, ["--debug"]));
  const bare = await linesOf(nound, (connection) => ask(connection, get("/still")));
  const two = await linesOf(nound, (connection) => ask(connection, get("/still"), get("/still")));
  const refused = await linesOf(nound, (connection) => ask(connection, get("/still"), get("/elsewhere")));
  const malformed = await linesOf(nound, (connection) => ask(connection, "GET  /still\r\n\r\n"));
  expect(bare.length).toBeGreaterThanOrEqual(2);
  expect(bare.filter((line) => line.includes("GET"))).toHaveLength(1);
  expect(two.filter((line) => line.includes("GET"))).toHaveLength(2);
  expect(two.length - bare.length).toBe(1);
  expect(refused.filter((line) => line.includes("404"))).toHaveLength(1);
  expect(malformed.filter((line) => line.includes("400"))).toHaveLength(1);
  const ending = await nound.stop();
  expect(ending.status).toBe(0);
});

test.each([
  ["none", /^$/],
  ["errors", /^nound \S+\n$/],
] as const)('with "log": "%s", nothing is printed but the version, whatever clients do', async (log, expected) => {
  const nound = endedByThisTest(await startNound({ nouns, log }, [], { environment: { NOUND_DEBUG: "0" } }));
  const connection = await RawConnection.open(nound.address);
  connection.send(`${get("/still")}${get("/zqx")}zqx\r\n\r\n`);
  expectState(await connection.response(), stillState);
  expectProblem(await connection.response(), 404, "keep");
  expectProblem(await connection.response(), 400, "close");
  connection.drop();
  expect(await nound.stop()).toMatchObject({ status: 0, stdout: "", stderr: expect.stringMatching(expected) });
});
