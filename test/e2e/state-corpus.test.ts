/** The corpus of JSON texts, each sent as the body of a PUT. */
import { expect, test } from "vitest";
import { expectProblem, stateOf } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, requestWithBody } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";
import { ample } from "../harness/time-limits.ts";
import { corpus, subjects } from "../unit/noun/state-corpus/corpus.ts";
import type { Entry } from "../unit/noun/state-corpus/entry.ts";

const start = { text: "nobody has written to it yet" };
// The deepest texts have a million bytes; the limit must not be what refuses them.
const limits = { bodyBytes: 1_048_576, bodyTimeout: ample, sendTimeout: ample };
const nound = forAllTests(() => startNound({ nouns: { open: { kind: "value", default: start } }, limits }));

/** What `JSON.parse` makes of a text, with minus zero as zero. */
function stateIn(bytes: string): unknown {
  const parsed: unknown = JSON.parse(Buffer.from(bytes, "latin1").toString("utf8"));
  return Object.fromEntries(Object.entries(parsed as object).map(([key, value]) => [key, value === 0 ? 0 : value]));
}

/** Sends all texts over one connection; it must survive each of them. */
async function verdicts(entries: readonly Entry[]): Promise<Map<string, number>> {
  const connection = await RawConnection.open(nound().address);
  const statuses = new Map<string, number>();
  let state: unknown = start;
  connection.send("DELETE /open HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(stateOf(await connection.response())).toEqual(state);
  for (const { name, bytes, accepted } of entries) {
    connection.send(requestWithBody("PUT", "/open", bytes) + get("/open"));
    const response = await connection.response();
    statuses.set(name, response.status);
    if (response.status === 200) stateOf(response);
    else expectProblem(response, response.status, "keep");
    if (accepted) state = stateIn(bytes);
    expect.soft(stateOf(await connection.response()), name).toEqual(state);
  }
  connection.drop();
  return statuses;
}

test.each(subjects)(
  "every text about %s gets its verdict, and a refused one leaves the state alone",
  async (subject) => {
    const entries: readonly Entry[] = corpus[subject];
    const expected = new Map(entries.map(({ name, accepted }) => [name, accepted ? 200 : 400]));
    expect(await verdicts(entries)).toEqual(expected);
  },
);
