/**
 * Request smuggling and desynchronization: every vector has one reading, and nothing that hides in it is ever executed.
 * Further requests of this kind, with every cut of their bytes, are among the samples: `requests/framing.ts`,
 * `requests/header-field.ts`, `requests/host.ts` and `requests/request-line.ts`.
 */
import { describe, expect, test } from "vitest";
import { nouns } from "./harness/configuration.ts";
import { announcesClose, expectProblem, expectState } from "./harness/expected-response.ts";
import { startNound } from "./harness/nound-process.ts";
import { RawConnection } from "./harness/raw-connection.ts";
import { del, get } from "./harness/request.ts";
import { methodOf } from "./harness/sample-suite.ts";
import { forAllTests } from "./harness/served.ts";
import { stillState } from "./requests/sample.ts";
import { bodies, refusedExpectations } from "./smuggling/body.ts";
import { chunkedRequests } from "./smuggling/chunked-request.ts";
import { connectionOptions } from "./smuggling/connection-options.ts";
import { contentLengths } from "./smuggling/content-length.ts";
import { hostsAndTargets } from "./smuggling/host-and-target.ts";
import { lineEnds } from "./smuggling/line-ends.ts";
import { requestLines } from "./smuggling/request-line.ts";
import { transferEncodings } from "./smuggling/transfer-encoding.ts";
import { hidden, type Vector } from "./smuggling/vector.ts";

const nound = forAllTests(() => startNound({ nouns }));

/** Sends a vector with a request behind it: one that must be answered, or one that must never be executed. */
async function judge(vector: Vector): Promise<void> {
  const connection = await RawConnection.open(nound().address);
  connection.send(vector.bytes + (vector.end === "closed" ? hidden : get("/still")));
  const last = vector.answers.length - 1;
  for (const [index, status] of vector.answers.entries()) {
    const method = index === 0 ? methodOf(vector.bytes) : "GET";
    const response = await connection.response(method);
    if (status === 200) expect(response.status, response.bytes).toBe(200);
    else expectProblem(response, status, "open", method);
    expect(announcesClose(response), response.bytes).toBe(index === last && vector.end === "closed");
  }
  if (vector.end === "closed") await connection.closedInOrder();
  else expectState(await connection.response(), stillState);
  connection.drop();
}

/** Reads the canary over a connection of its own: it is as it was at the start, and for the next test it is in any case. */
async function expectCanaryAlive(): Promise<void> {
  const connection = await RawConnection.open(nound().address);
  connection.send(get("/canary") + del("/canary"));
  expectState(await connection.response(), { alive: true });
  connection.drop();
}

function title({ name, answers, end }: Vector): string {
  return `${name}: ${answers.join(", ")}, ${end}`;
}

const subjects: readonly (readonly [string, readonly Vector[]])[] = [
  ["the length", contentLengths],
  ["the transfer coding", transferEncodings],
  ["chunks", chunkedRequests],
  ["the line end", lineEnds],
  ["the request line", requestLines],
  ["the host and the target", hostsAndTargets],
  ["the body", bodies],
  ["a final answer instead of 100 Continue", refusedExpectations],
  ["the connection", connectionOptions],
];

describe.each(subjects)("%s", (_, vectors) => {
  test.each(vectors.map((vector) => [title(vector), vector] as const))("%s", async (_title, vector) => {
    await judge(vector);
    await expectCanaryAlive();
  });
});

test("the request that is hidden would be executed if it were read as one", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(hidden);
  expectState(await connection.response(), { executed: true });
});
