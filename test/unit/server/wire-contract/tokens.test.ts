/** Bearer tokens: who has none, a wrong one or too small a one is told so, and nothing else (RFC 6750). */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Token } from "../../../../ts/core/access/tokens.ts";
import { HttpServer } from "../../../../ts/core/server/server.ts";
import { Bench, json, request, withBody } from "../bench.ts";
import { expectProblem, expectState, readResponse, readResponses, statuses } from "../responses.ts";

const panel = "panel-token-of-forty-characters-xxxxxxxxx";
const wrong = "wrong-token-of-forty-characters-xxxxxxxxx";
const panelToken: Token = {
  name: "panel",
  sha256: createHash("sha256").update(panel).digest("hex"),
  verbs: ["GET", "PUT"],
  nouns: ["led", "gone"],
};
const keyToken: Token = { ...panelToken, name: "key", sha256: createHash("sha256").update(wrong).digest("hex") };

const bearer = (token: string) => `Authorization: Bearer ${token}\r\n`;
const realm = 'Bearer realm="nound"';

function newBench(tokens: readonly Token[] = [panelToken], logging = false): Bench {
  return new Bench({}, logging, { tokens });
}

test("a request with a token that may do it is answered as it would be without tokens", () => {
  const bench = newBench();
  const open = new Bench();
  for (const [method, body] of [
    ["GET", undefined],
    ["PUT", '{"led":1}'],
  ] as const) {
    const make = (fields: string) =>
      body === undefined ? request(method, "/led", fields) : withBody(method, "/led", body, fields);
    for (let round = 0; round < 4; round++) expect(bench.answer(make(bearer(panel)))).toBe(open.answer(make("")));
  }
});

describe("without a token", () => {
  test.each([
    ["a noun that there is", request("GET", "/led")],
    ["a noun that there is not", request("GET", "/zqx")],
    ["a target of another form", request("GET", "/led?a")],
    ["a method that is none of the verbs", request("PATCH", "/led")],
    ["a method that HTTP does not know", request("ZQX", "/led")],
    ["a preflight", request("OPTIONS", "/led", "Origin: https://a\r\nAccess-Control-Request-Method: PUT\r\n")],
    ["a media type that is refused", request("PUT", "/led", "Content-Type: text/plain\r\nContent-Length: 0\r\n")],
    ["a state that is refused", withBody("PUT", "/led", "[]")],
    ["credentials of another scheme", request("GET", "/led", "Authorization: Basic YTpi\r\n")],
  ])("%s gets the one 401, and nothing is done", (_what, bytes) => {
    const bench = newBench();
    const answer = bench.answer(bytes);
    expect(answer).toBe(newBench().answer(request("GET", "/led")));
    expectProblem(readResponse(answer), 401);
    expect(readResponse(answer).fields.get("www-authenticate")).toBe(realm);
    expect(bench.led.calls).toEqual([]);
  });

  test("a body is skipped and the connection goes on", () => {
    const bench = newBench();
    const peer = bench.send(withBody("PUT", "/led", '{"led":1}') + request("GET", "/led", bearer(panel)));
    expect(statuses(peer.received)).toEqual([401, 200]);
    expect(bench.led.calls).toEqual(["GET"]);
  });

  test("a body that is too long to skip ends the connection", () => {
    const peer = newBench().send(request("PUT", "/led", `${json}Content-Length: 4097\r\n`));
    expect(readResponse(peer.received).status).toBe(401);
    expect(peer.closed).toBe(true);
  });

  test("a body that would be refused is not asked for by 100 Continue", () => {
    const fields = `${json}Content-Length: 2\r\nExpect: 100-continue\r\n`;
    expect(statuses(newBench().answer(request("PUT", "/led", fields)))).toEqual([401]);
  });

  test("framing that cannot be trusted is refused before", () => {
    expect(statuses(newBench().answer(request("GET", "/led", "Content-Length: 1\r\n")))).toEqual([400]);
    expect(statuses(newBench().answer("GET /led HTTP/1.1\r\n\r\n"))).toEqual([400]);
  });
});

test.each([
  ["another token", wrong],
  ["a malformed token", "a b"],
  ["no token behind the scheme", ""],
  ["the hash of the token", panelToken.sha256],
])("%s gets 401 and is told that it is the token", (_what, token) => {
  for (const target of ["/led", "/zqx", "/?"]) {
    const response = readResponse(newBench().answer(request("GET", target, bearer(token))));
    expectProblem(response, 401);
    expect(response.fields.get("www-authenticate")).toBe(`${realm}, error="invalid_token"`);
  }
});

test("two Authorization fields get 400, and the connection ends", () => {
  const peer = newBench().send(request("GET", "/led", bearer(panel) + bearer(panel)));
  expectProblem(readResponse(peer.received), 400);
  expect(readResponse(peer.received).fields.get("www-authenticate")).toBe(`${realm}, error="invalid_request"`);
  expect(peer.closed).toBe(true);
});

describe("a token that may not do this", () => {
  test.each([
    ["a verb that is not its own", request("DELETE", "/led", bearer(panel))],
    ["a noun that is not its own", request("GET", "/other", bearer(panel))],
    ["a noun that there is not", request("GET", "/zqx", bearer(panel))],
    ["another method on a noun that is not its own", request("PATCH", "/other", bearer(panel))],
    ["OPTIONS of a noun that is not its own", request("OPTIONS", "/other", bearer(panel))],
  ])("gets 403 for %s", (_what, bytes) => {
    const bench = newBench();
    const response = readResponse(bench.answer(bytes));
    expectProblem(response, 403);
    expect(response.fields.get("www-authenticate")).toBe(`${realm}, error="insufficient_scope"`);
    expect([...bench.led.calls, ...bench.other.calls]).toEqual([]);
  });

  test.each([
    [404, request("GET", "/gone", bearer(panel))],
    [400, request("GET", "/led?a", bearer(panel))],
    [405, request("PATCH", "/led", bearer(panel))],
    [501, request("ZQX", "/led", bearer(panel))],
    [400, withBody("PUT", "/led", "[]", bearer(panel))],
  ])("where it may, gets the %i that anyone would get", (status, bytes) => {
    expect(statuses(newBench().answer(bytes))).toEqual([status]);
  });

  test("is the same whatever the letters' case and the encoding of the noun", () => {
    const bench = newBench();
    expect(statuses(bench.answer(request("GET", "/L%45D", bearer(panel))))).toEqual([200]);
    expect(statuses(bench.answer(request("GET", "http://a/led", bearer(panel))))).toEqual([200]);
    expect(statuses(bench.answer(request("GET", "/%6Fther", bearer(panel))))).toEqual([403]);
  });
});

test("with an empty list every request is refused", () => {
  expect(statuses(newBench([]).answer(request("GET", "/led", bearer(panel))))).toEqual([401]);
});

test("a text shorter or longer than any token is not a token, even if the list has its hash", () => {
  for (const [length, status] of [
    [31, 401],
    [32, 200],
    [128, 200],
    [129, 401],
  ] as const) {
    const text = "x".repeat(length);
    const bench = newBench([{ ...panelToken, sha256: createHash("sha256").update(text).digest("hex") }]);
    expect(statuses(bench.answer(request("GET", "/led", bearer(text))))).toEqual([status]);
  }
});

test("requests that are seen again and again are answered as at first, each for its own token", () => {
  const bench = newBench([panelToken, { ...keyToken, verbs: ["GET"], nouns: ["other"] }]);
  const peer = bench.connect();
  for (let round = 0; round < 6; round++) {
    peer.send(request("GET", "/led", bearer(panel)));
    peer.send(withBody("PUT", "/led", '{"led":1}', bearer(panel)));
    peer.send(request("GET", "/led", bearer(wrong)));
    peer.send(request("GET", "/led"));
    peer.send(request("GET", "/led", `${bearer(panel)}X-Long: ${"a".repeat(1_100)}\r\n`));
    expect(statuses(peer.take())).toEqual([200, 200, 403, 401, 200]);
  }
  bench.server.unregister("led");
  peer.send(request("GET", "/led", bearer(panel)));
  expect(statuses(peer.received)).toEqual([404]);
});

describe("a token that is withdrawn", () => {
  const half = withBody("PUT", "/led", '{"led":1}', bearer(panel)).slice(0, -1);
  const chunkedDelete = request("DELETE", "/led", `${bearer(panel)}Transfer-Encoding: chunked\r\n`);
  const deleting = { ...panelToken, verbs: ["GET", "PUT", "DELETE"] } as const;

  test.each([
    ["the rest of a body", half, "}"],
    ["the last chunk of a DELETE", chunkedDelete, "0\r\n\r\n"],
  ])("before %s has come gets 401, and nothing is done", (_what, head, rest) => {
    const bench = newBench([deleting]);
    const peer = bench.send(head);
    bench.server.setTokens([keyToken]);
    peer.send(rest);
    const response = readResponse(peer.received);
    expectProblem(response, 401, "close");
    expect(response.fields.get("www-authenticate")).toBe(`${realm}, error="invalid_token"`);
    expect(bench.led.calls).toEqual([]);
  });

  test("gets 401 as often as it is used so: it has not been guessed", () => {
    const bench = newBench();
    const peers = Array.from({ length: 20 }, () => bench.send(half));
    bench.server.setTokens([]);
    for (const peer of peers) peer.send("}");
    expect(peers.flatMap(({ received }) => statuses(received))).toEqual(peers.map(() => 401));
  });

  test("in part gets 403 for what it may no longer do, and its request otherwise goes on", () => {
    const bench = newBench();
    const [first, second] = [bench.send(half), bench.send(half)];
    bench.server.setTokens([{ ...panelToken, verbs: ["GET"] }]);
    first.send("}");
    expectProblem(readResponse(first.received), 403, "close");
    bench.server.setTokens([panelToken]);
    second.send("}");
    expect(statuses(second.received)).toEqual([200]);
  });
});

test("a server with tokens says when it lacks the module that hashes them", () => {
  const { net, clock, interruption, memory } = newBench();
  expect(() => new HttpServer({ net, clock, interruption, memory }, { access: { tokens: [] } })).toThrow(
    "needs the module hash",
  );
});

describe("after ten wrong tokens", () => {
  const fail = (bench: Bench) => bench.send(request("GET", "/led", bearer(wrong)));

  test("a further one gets 429 with the time to wait, and the connection ends", () => {
    const bench = newBench();
    for (let count = 0; count < 10; count++) expect(readResponse(fail(bench).received).status).toBe(401);
    const peer = fail(bench);
    const response = readResponse(peer.received);
    expectProblem(response, 429);
    expect(response.fields.get("retry-after")).toBe("1");
    expect(response.fields.has("www-authenticate")).toBe(false);
    expect(peer.closed).toBe(true);
    bench.clock.advance(1_000);
    expect(readResponse(fail(bench).received).status).toBe(401);
  });

  test("the right one is still taken, and a request without one is still told 401", () => {
    const bench = newBench();
    for (let count = 0; count < 40; count++) fail(bench);
    expect(statuses(bench.answer(request("GET", "/led", bearer(panel))))).toEqual([200]);
    expect(statuses(bench.answer(request("GET", "/led")))).toEqual([401]);
  });

  test("each counts, on one connection and byte for byte the same", () => {
    const bench = newBench();
    const peer = bench.connect();
    for (let count = 0; count < 11; count++) peer.send(request("GET", "/led", bearer(wrong)));
    expect(statuses(peer.received)).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });
});

test("the debug log names the token and never holds it", () => {
  const bench = newBench([panelToken, keyToken], true);
  bench.send(request("GET", "/led", bearer(panel)) + request("GET", "/fan", bearer(panel)));
  bench.send(request("GET", `/led?access_token=${panel}`, bearer(wrong)));
  bench.send(request("GET", "/led", bearer(`${panel}x`)));
  bench.send(request("GET", `http://${panel}@a/led`) + request("GET", `http://panel:${panel}@a/led`, bearer(panel)));
  const log = bench.log.join("\n");
  expect(log).toContain("GET /led 200 (token panel)");
  expect(log).toContain("GET /fan 403");
  expect(log).toContain("GET /led?... 400");
  expect(log).toContain("GET http://...@a/led 400");
  expect(log).not.toContain("xxx");
  expect(log).not.toContain(panel);
});

test("an answer on a connection of many is each request's own", () => {
  const bench = newBench([panelToken, { ...keyToken, verbs: ["GET", "DELETE"], nouns: ["*"] }]);
  const peer = bench.send(
    request("GET", "/other", bearer(panel)) +
      request("GET", "/other", bearer(wrong)) +
      request("GET", "/other") +
      request("DELETE", "/led", bearer(wrong)),
  );
  const [refused, read, asked, reset] = readResponses(peer.received);
  expect([refused?.status, read?.status, asked?.status, reset?.status]).toEqual([403, 200, 401, 200]);
  if (read === undefined) throw new Error("no answer");
  expectState(read, {});
  expect(read.fields.has("www-authenticate")).toBe(false);
});
