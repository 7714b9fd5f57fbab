/** Every row of the table of refusals: its status, its problem document, and what becomes of the connection. */
import { describe, expect, test } from "vitest";
import { Bench, host, json, request, withBody } from "../bench.ts";
import { expectProblem, expectState, readResponses } from "../responses.ts";

type Rows = readonly (readonly [name: string, bytes: string])[];

/** Sends a request that is refused and another one behind it, in one piece and byte by byte. */
function expectRefused(status: number, fate: "keep" | "close", bytes: string): void {
  for (const pieces of [[bytes + request("DELETE", "/other")], [...bytes, ...request("DELETE", "/other")]]) {
    const bench = new Bench();
    const peer = bench.connect();
    for (const piece of pieces) peer.send(piece);
    const [refusal, next, ...more] = readResponses(peer.received);
    if (refusal === undefined) throw new Error("no answer");
    const detail = expectProblem(refusal, status);
    expect(detail).not.toMatch(/zqx|\.ts|\/ts\//i);
    expect(more).toEqual([]);
    expect(bench.led.calls).toEqual([]);
    expect(refusal.fields.get("connection")).toBe(fate === "close" ? "close" : undefined);
    expect(peer.closed).toBe(fate === "close");
    expect(bench.other.calls).toEqual(fate === "close" ? [] : ["DELETE"]);
    if (fate === "close") expect(next).toBeUndefined();
    else if (next !== undefined) expectState(next, {});
  }
}

function refuses(status: number, fate: "keep" | "close", rows: Rows): void {
  describe(`answers ${status} and ${fate === "keep" ? "keeps" : "closes"} the connection for`, () => {
    test.each(rows)("%s", (_name, bytes) => expectRefused(status, fate, bytes));
  });
}

const line = (requestLine: string) => `${requestLine}\r\n${host}\r\n`;
const get = (fieldLines: string) => `GET /led HTTP/1.1\r\n${host}${fieldLines}\r\n`;
const put = (fields: string, body = '{"led":1}') => request("PUT", "/led", fields) + body;
const chunked = `${json}Transfer-Encoding: chunked\r\n`;
const state = (body: string) => withBody("PUT", "/led", body);

refuses(400, "close", [
  ["a bare LF after the request line", `GET /led HTTP/1.1\n${host}\r\n`],
  ["a bare CR in the request line", line("GET /led\rHTTP/1.1")],
  ["a bare CR after the request line", `GET /led HTTP/1.1\r${host}\r\n`],
  ["a NUL in the target", line("GET /l\0ed HTTP/1.1")],
  ["a control byte in the target", line("GET /l\x01ed HTTP/1.1")],
  ["DEL in the target", line("GET /l\x7fed HTTP/1.1")],
  ["opaque bytes in the target", line("GET /l\xc3\xa9d HTTP/1.1")],
  ["opaque bytes in the method", line("G\xc3T /led HTTP/1.1")],
  ["two spaces after the method", line("GET  /led HTTP/1.1")],
  ["two spaces after the target", line("GET /led  HTTP/1.1")],
  ["a space before the method", line(" GET /led HTTP/1.1")],
  ["a space after the version", line("GET /led HTTP/1.1 ")],
  ["a tab instead of a space", line("GET\t/led HTTP/1.1")],
  ["no version", line("GET /led")],
  ["a version in lower case", line("GET /led http/1.1")],
  ["a version with three digits", line("GET /led HTTP/1.10")],
  ["a version without a dot", line("GET /led HTTP/1")],
  ["a method that is no token", line("G(T /led HTTP/1.1")],
  ["no method", line("/led HTTP/1.1")],
  ["two empty lines before the request line", `\r\n\r\n${request("GET", "/led")}`],
  ["a bare LF after a field", `GET /led HTTP/1.1\r\nHost: a\nX: b\r\n\r\n`],
  ["a bare LF as the empty line", `GET /led HTTP/1.1\r\nHost: a\r\n\nzqx\r\n\r\n`],
  ["a bare CR in a field value", get("X: a\rb\r\n")],
  ["a bare CR where a field begins", get("\rX: a\r\n")],
  ["a NUL in a field value", get("X: a\0b\r\n")],
  ["a control byte in a field value", get("X: a\x1bb\r\n")],
  ["DEL in a field value", get("X: a\x7fb\r\n")],
  ["a folded line", get("X: a\r\n b\r\n")],
  ["a line folded with a tab", get("X: a\r\n\tb\r\n")],
  ["white space before the first field", `GET /led HTTP/1.1\r\n ${host}\r\n`],
  ["a space before the colon", get("X : a\r\n")],
  ["a tab before the colon", get("X\t: a\r\n")],
  ["an empty field name", get(": a\r\n")],
  ["a field name that is no token", get("X(: a\r\n")],
  ["opaque bytes in a field name", get("X\xe9: a\r\n")],
  ["a field line without a colon", get("zqx\r\n")],
  ["no Host", "GET /led HTTP/1.1\r\n\r\n"],
  ["two Hosts", `GET /led HTTP/1.1\r\n${host}${host}\r\n`],
  ["an empty Host", "GET /led HTTP/1.1\r\nHost:\r\n\r\n"],
  ["a Host of white space", "GET /led HTTP/1.1\r\nHost: \t \r\n\r\n"],
  ["a Host with user information", "GET /led HTTP/1.1\r\nHost: zqx@a\r\n\r\n"],
  ["a Host with a path", "GET /led HTTP/1.1\r\nHost: a/zqx\r\n\r\n"],
  ["a Host that is a list", "GET /led HTTP/1.1\r\nHost: a, b\r\n\r\n"],
  ["a Host with a comma", "GET /led HTTP/1.1\r\nHost: a,b\r\n\r\n"],
  ["a Host with a port that is no number", "GET /led HTTP/1.1\r\nHost: a:zqx\r\n\r\n"],
  ["a Host with a port over 65535", "GET /led HTTP/1.1\r\nHost: a:65536\r\n\r\n"],
  ["a Host that is a bad IPv6 literal", "GET /led HTTP/1.1\r\nHost: [1::2::3]\r\n\r\n"],
  ["an absolute target without a Host", "GET http://a/led HTTP/1.1\r\n\r\n"],
  ["Content-Length twice", put(`${json}Content-Length: 9\r\nContent-Length: 9\r\n`)],
  ["a Content-Length that is a list", put(`${json}Content-Length: 9, 9\r\n`)],
  ["a Content-Length with a plus sign", put(`${json}Content-Length: +9\r\n`)],
  ["a Content-Length with a minus sign", put(`${json}Content-Length: -9\r\n`)],
  ["a Content-Length that is not digits", put(`${json}Content-Length: 0x9\r\n`)],
  ["an empty Content-Length", put(`${json}Content-Length: \r\n`)],
  ["Content-Length beside Transfer-Encoding", put(`${json}Content-Length: 9\r\nTransfer-Encoding: chunked\r\n`)],
  ["Content-Length beside an unknown coding", put(`${json}Transfer-Encoding: zqx\r\nContent-Length: 9\r\n`)],
  ["GET with a body", request("GET", "/led", "Content-Length: 1\r\n")],
  ["DELETE with a body", `${request("DELETE", "/led", "Content-Length: 1\r\n")}x`],
  ["OPTIONS with a body", `${request("OPTIONS", "/led", "Content-Length: 1\r\n")}x`],
  ["a chunked GET", request("GET", "/led", "Transfer-Encoding: chunked\r\n")],
  ["a chunked DELETE", `${request("DELETE", "/led", "Transfer-Encoding: chunked\r\n")}0\r\n\r\n`],
  ["a chunked OPTIONS", `${request("OPTIONS", "/led", "Transfer-Encoding: chunked\r\n")}0\r\n\r\n`],
  ["a chunk extension", put(chunked, "9;a=b\r\n{}\r\n0\r\n\r\n")],
  ["a trailer field", put(chunked, '9\r\n{"led":1}\r\n0\r\nX: y\r\n\r\n')],
  ["CONNECT on a noun", request("CONNECT", "/led")],
  ["a Connection that is no list of tokens", get("Connection: close; zqx\r\n")],
]);

refuses(505, "close", [
  ["HTTP/1.0", line("GET /led HTTP/1.0")],
  ["HTTP/2.0", line("GET /led HTTP/2.0")],
  ["HTTP/0.9", line("GET /led HTTP/0.9")],
  ["HTTP/1.2", line("GET /led HTTP/1.2")],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
]);

refuses(411, "close", [
  ["PUT without a length", put(json, "")],
  ["POST without a length", request("POST", "/led", json)],
]);

refuses(413, "close", [
  ["a chunk over the limit", put(chunked, "1001\r\n")],
  ["chunks over the limit together", put(chunked, `800\r\n${" ".repeat(0x800)}\r\n801\r\n`)],
]);

refuses(501, "close", [
  ["CONNECT of a host and a port", request("CONNECT", "a:80")],
  ["a method not known to HTTP with a chunked body", `${request("ZQX", "/led", chunked)}2\r\n{}\r\n0\r\n\r\n`],
  ["another coding", put(`${json}Transfer-Encoding: gzip\r\n`)],
  ["two codings", put(`${json}Transfer-Encoding: gzip, chunked\r\n`)],
  ["chunked twice", put(`${json}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n`)],
  ["an empty Transfer-Encoding", put(`${json}Transfer-Encoding:\r\n`)],
  ["a method not known to HTTP with a body", withBody("ZQX", "/led", "{}")],
  ["a method longer than any known one", line(`${"Z".repeat(33)} /led HTTP/1.1`)],
]);

refuses(501, "keep", [
  ["a method not known to HTTP", request("ZQX", "/led")],
  ["a method in lower case", request("get", "/led")],
  ["a method of 32 bytes", request("Z".repeat(32), "/led")],
  ["an unknown method with an empty body", request("ZQX", "/led", "Content-Length: 0\r\n")],
]);

refuses(405, "keep", [
  ["PATCH", request("PATCH", "/led")],
  ["TRACE", request("TRACE", "/led")],
  ["DELETE of all nouns", request("DELETE", "/")],
  ["PUT of all nouns", withBody("PUT", "/", "{}")],
]);
refuses(405, "close", [["PATCH with a body", withBody("PATCH", "/led", "{}")]]);

refuses(415, "keep", [
  ["no Content-Type", put("Content-Length: 9\r\n")],
  ["another Content-Type", put("Content-Type: text/plain\r\nContent-Length: 9\r\n")],
  ["another charset", put("Content-Type: application/json; charset=latin1\r\nContent-Length: 9\r\n")],
  ["another parameter", put("Content-Type: application/json; zqx=1\r\nContent-Length: 9\r\n")],
  ["a content coding", put(`${json}Content-Encoding: gzip\r\nContent-Length: 9\r\n`)],
  ["two Content-Types", put(`${json}${json}Content-Length: 9\r\n`)],
  ["an empty Content-Type", put("Content-Type:\r\nContent-Length: 9\r\n")],
]);

refuses(417, "close", [
  ["another expectation", put(`${json}Content-Length: 9\r\nExpect: zqx\r\n`)],
  ["another expectation beside 100-continue", put(`${json}Content-Length: 9\r\nExpect: 100-continue, zqx\r\n`)],
  ["another expectation of a GET", request("GET", "/led", "Expect: zqx\r\n")],
]);

refuses(400, "keep", [
  ["a query", request("GET", "/led?zqx=1")],
  ["an empty query", request("GET", "/led?")],
  ["a query in an absolute target", request("GET", "http://a?zqx")],
  ["a fragment", request("GET", "/led#zqx")],
  ["the asterisk-form", request("GET", "*")],
  ["the authority-form", request("GET", "a:80")],
  ["a name that cannot be decoded", request("GET", "/%zz")],
  ["half a percent-encoding", request("GET", "/led%6")],
  ["a relative target", request("GET", "led")],
  ["a target of another scheme", request("GET", "https://a/led")],
  ["an absolute target whose authority is no host", request("GET", "http://zqx@a/led")],
  ["an absolute target with an empty authority", request("GET", "http:///led")],
  ["a body that is not UTF-8", state('{"led":"\xff"}')],
  ["an over-long UTF-8 form", state('{"led":"\xc0\xaf"}')],
  ["a surrogate in UTF-8", state('{"led":"\xed\xa0\x80"}')],
  ["an empty body", state("")],
  ["white space alone", state(" \t\r\n")],
  ["a body that is not JSON", state("zqx")],
  ["half an object", state('{"led":1')],
  ["a trailing comma", state('{"led":1,}')],
  ["a comment", state('{"led":1}//')],
  ["single quotes", state("{'led':1}")],
  ["two objects", state("{}{}")],
  ["an array", state("[]")],
  ["a scalar", state("1")],
  ["null", state("null")],
  ["an array as a value", state('{"led":[1]}')],
  ["an object as a value", state('{"led":{}}')],
  ["a repeated key", state('{"led":1,"led":1}')],
  ["a key repeated with an escape", state('{"led":1,"l\\u0065d":1}')],
  ["a number that is not finite", state('{"led":1e999}')],
  ["NaN", state('{"led":NaN}')],
  ["a leading zero", state('{"led":01}')],
  ["a plus sign", state('{"led":+1}')],
  ["a number without digits after its point", state('{"led":1.}')],
  ["a lone surrogate", state('{"led":"\\ud800"}')],
  ["a lone surrogate in a key", state('{"\\udc00":1}')],
  ["a control character in a string", state('{"led":"\x01"}')],
  ["a byte-order mark", state('\xef\xbb\xbf{"led":1}')],
]);

refuses(404, "keep", [
  ["an unknown noun", request("GET", "/zqx")],
  ["two segments", request("GET", "/led/zqx")],
  ["a slash at the end", request("GET", "/led/")],
  ["two slashes", request("GET", "//led")],
  ["an encoded slash", request("GET", "/led%2f")],
  ["a percent-encoded NUL", request("GET", "/led%00")],
  ["a name encoded twice", request("GET", "/%256ced")],
  ["the Kelvin sign for a k", request("GET", "/%e2%84%aa")],
  ["a name of 65 characters", request("GET", `/${"n".repeat(65)}`)],
  ["an unknown noun with a body, which is skipped", withBody("PUT", "/zqx", request("GET", "/led"))],
  ["an unknown noun with chunks, which are skipped", `${request("PUT", "/zqx", chunked)}2\r\n{}\r\n0\r\n\r\n`],
]);

test("no answer allows another origin anything", () => {
  const bytes = request("OPTIONS", "/led", "Origin: http://b\r\nAccess-Control-Request-Method: PUT\r\n");
  expect(new Bench().answer(bytes).toLowerCase()).not.toContain("access-control");
});

describe("HEAD", () => {
  test("of a noun has the fields of GET's answer, and no body", () => {
    const bench = new Bench();
    const received = bench.answer(request("HEAD", "/led") + request("GET", "/led"));
    const [head, get] = readResponses(received, [0]);
    expect(head?.status).toBe(200);
    expect(head?.fields).toEqual(get?.fields);
    expect(get?.status).toBe(200);
  });

  test.each([
    ["an unknown noun", "/zqx", 404],
    ["a query", "/led?a", 400],
  ])("of %s has the fields of its answer and no body", (_name, target, status) => {
    const bench = new Bench();
    const received = bench.answer(request("HEAD", target) + request("GET", "/led"));
    const [head, get] = readResponses(received, [0]);
    expect(head?.status).toBe(status);
    expect(Number(head?.fields.get("content-length"))).toBeGreaterThan(0);
    expect(get?.status).toBe(200);
  });

  test("that is malformed has no body either", () => {
    const bench = new Bench();
    const [head, ...more] = readResponses(bench.answer("HEAD /led HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n"), [0]);
    expect(head?.status).toBe(400);
    expect(more).toEqual([]);
  });
});
