/** Preconditions (RFC 9110, 13) and ranges (14) of states, which have no entity tags, no dates and no parts. */
import { expect, test } from "vitest";
import { nouns } from "./harness/configuration.ts";
import { expectProblem, expectState } from "./harness/expected-response.ts";
import { startNound } from "./harness/nound-process.ts";
import { RawConnection } from "./harness/raw-connection.ts";
import { get, request, requestWithBody } from "./harness/request.ts";
import { readStates } from "./harness/sample-suite.ts";
import { forAllTests } from "./harness/served.ts";
import { stillState } from "./requests/sample.ts";

const nound = forAllTests(() => startNound({ nouns }));

function put(fields: string): string {
  return requestWithBody("PUT", "/canary", '{"executed":true}', fields);
}

test.each([
  ["PUT if the state has an entity tag", put('If-Match: "zqx"\r\n'), 412],
  ["PUT if the state has one of several entity tags", put('If-Match: "zqx", W/"zqx"\r\n'), 412],
  ["PUT if there is no state yet", put("If-None-Match: *\r\n"), 412],
  ["POST if there is no state yet", requestWithBody("POST", "/led", "{}", "If-None-Match: *\r\n"), 412],
  ["DELETE if the state has an entity tag", request("DELETE", "/led", 'If-Match: "zqx"\r\n'), 412],
  ["GET if the state has an entity tag", request("GET", "/led", 'If-Match: "zqx"\r\n'), 412],
  ["PUT of a part of a state", put("Content-Range: bytes 0-16/17\r\n"), 400],
])("%s is refused, and changes nothing", async (_, bytes, status) => {
  const before = await readStates(nound());
  const connection = await RawConnection.open(nound().address);
  connection.send(bytes + get("/still"));
  expectProblem(await connection.response(), status, "keep");
  expectState(await connection.response(), stillState);
  expect(await readStates(nound())).toEqual(before);
});

test.each([
  ["any state", "If-Match: *\r\n"],
  ["no state with this entity tag", 'If-None-Match: "zqx"\r\n'],
  ["no state at all, where it is only read", "If-None-Match: *\r\n"],
  ["a state that has changed since a date", "If-Modified-Since: Sat, 29 Oct 1994 19:43:31 GMT\r\n"],
  ["a state that has not changed since a date", "If-Unmodified-Since: Sat, 29 Oct 1994 19:43:31 GMT\r\n"],
  ["a range of it", 'Range: bytes=0-1\r\nIf-Range: "zqx"\r\n'],
  ["a range of an unknown unit", "Range: zqx=0-1\r\n"],
])("GET that asks for %s gets the whole state", async (_, fields) => {
  const connection = await RawConnection.open(nound().address);
  connection.send(request("GET", "/still", fields));
  expectState(await connection.response(), stillState);
});

test("other refusals come before the precondition, and the precondition before the body", async () => {
  const connection = await RawConnection.open(nound().address);
  const condition = "If-None-Match: *\r\n";
  connection.send(requestWithBody("PUT", "/zqx", "{}", condition));
  expectProblem(await connection.response(), 404, "keep");
  connection.send(request("PATCH", "/led", condition));
  expectProblem(await connection.response(), 405, "keep");
  connection.send(requestWithBody("PUT", "/led", "{", condition));
  expectProblem(await connection.response(), 412, "keep");
});
