/** Allowed origins: which pages of others a browser lets read and change states (CORS). */
import { describe, expect, test } from "vitest";
import { Bench, request, withBody } from "../bench.ts";
import { expectProblem, readResponse, readResponses, statuses } from "../responses.ts";

const panel = "https://panel.example";
const origin = (from: string) => `Origin: ${from}\r\n`;
const asks = (method: string) => `Access-Control-Request-Method: ${method}\r\n`;

function newBench(logging = false): Bench {
  return new Bench({}, logging, { origins: [panel, "http://192.0.2.7:3000"] });
}

const preflightAnswer =
  "HTTP/1.1 204 No Content\r\nCache-Control: no-store\r\n" +
  `Access-Control-Allow-Origin: ${panel}\r\nVary: Origin\r\n` +
  "Access-Control-Expose-Headers: Allow, ETag, Link, Retry-After\r\n" +
  "Access-Control-Allow-Methods: GET, PUT, POST, DELETE\r\n" +
  "Access-Control-Allow-Headers: Content-Type, Authorization, Last-Event-ID, If-None-Match\r\n" +
  "Access-Control-Max-Age: 600\r\n";

describe("a preflight", () => {
  test.each(["/led", "/zqx", "/", "*"])("of an allowed origin for %s is answered with these bytes", (target) => {
    const bench = newBench();
    expect(bench.answer(request("OPTIONS", target, origin(panel) + asks("PUT")))).toBe(`${preflightAnswer}\r\n`);
    expect(bench.led.calls).toEqual([]);
  });

  test("for a device of a private network is answered as such", () => {
    const fields = `${origin(panel)}${asks("PUT")}Access-Control-Request-Private-Network: true\r\n`;
    expect(newBench().answer(request("OPTIONS", "/led", fields))).toBe(
      `${preflightAnswer}Access-Control-Allow-Private-Network: true\r\n\r\n`,
    );
  });

  test("needs no token", () => {
    const bench = new Bench({}, false, { origins: [panel], tokens: [] });
    expect(statuses(bench.answer(request("OPTIONS", "/led", origin(panel) + asks("GET"))))).toEqual([204]);
  });

  test("keeps the connection, and closes it if the client requests that", () => {
    const bench = newBench();
    const peer = bench.send(
      request("OPTIONS", "/led", origin(panel) + asks("PUT")) +
        withBody("PUT", "/led", "{}", origin(panel)) +
        request("OPTIONS", "/led", `${origin(panel)}${asks("PUT")}Connection: close\r\n`),
    );
    expect(statuses(peer.received)).toEqual([204, 200, 204]);
    expect(readResponses(peer.received).map(({ fields }) => fields.get("connection"))).toEqual([
      undefined,
      undefined,
      "close",
    ]);
    expect(peer.closed).toBe(true);
  });

  test("with a body is refused, and the connection is closed", () => {
    const peer = newBench().send(request("OPTIONS", "/led", `${origin(panel)}${asks("PUT")}Content-Length: 2\r\n`));
    expectProblem(readResponse(peer.received), 400);
    expect(readResponse(peer.received).fields.get("connection")).toBe("close");
    expect(peer.closed).toBe(true);
  });
});

test("every answer to an allowed origin says so, a refusal, too, however often it is asked", () => {
  const bench = newBench();
  const requests = [
    request("GET", "/led", origin(panel)),
    withBody("PUT", "/led", '{"led":1}', origin(panel)),
    request("GET", "/zqx", origin(panel)),
    withBody("PUT", "/led", "[]", origin(panel)),
    request("OPTIONS", "/led", origin(panel)),
  ];
  const peer = bench.connect();
  for (let round = 0; round < 4; round++) for (const bytes of requests) peer.send(bytes);
  const responses = readResponses(peer.received);
  expect(responses.slice(0, 5).map(({ status }) => status)).toEqual([200, 200, 404, 400, 204]);
  expect(responses).toHaveLength(20);
  for (const { fields } of responses) {
    expect(fields.get("access-control-allow-origin")).toBe(panel);
    expect(fields.get("vary")).toBe("Origin");
  }
});

test("a 401 says so, too, so that the page learns why", () => {
  const bench = new Bench({}, false, { origins: [panel], tokens: [] });
  const { status, fields } = readResponse(bench.answer(request("GET", "/led", origin(panel))));
  expect(status).toBe(401);
  expect(fields.get("access-control-allow-origin")).toBe(panel);
  expect(fields.get("www-authenticate")).toBe('Bearer realm="nound"');
});

test.each([
  "https://evil.example",
  "http://panel.example",
  "https://panel.example:8443",
  "https://panel.example.evil.example",
  "HTTPS://PANEL.EXAMPLE",
  "https://panel.example/",
  "null",
  "*",
  "",
])("a request of the origin %j gets 403, which names no origin", (from) => {
  for (const bytes of [
    request("GET", "/led", origin(from)),
    request("OPTIONS", "/led", origin(from) + asks("PUT")),
    withBody("PUT", "/led", "{}", origin(from)),
    request("GET", "/zqx", origin(from)),
    request("GET", "/led", origin(panel) + origin(from)),
  ]) {
    const bench = newBench();
    const response = readResponse(bench.answer(bytes));
    expectProblem(response, 403);
    for (const name of response.fields.keys()) expect(name).not.toMatch(/^access-control|^www-auth/);
    expect(bench.led.calls).toEqual([]);
  }
});

test("a request without an origin is answered as it would be without the list", () => {
  const [listed, open] = [newBench(), new Bench()];
  for (const bytes of [
    request("GET", "/led"),
    withBody("PUT", "/led", "{}"),
    request("OPTIONS", "/led", asks("PUT")),
  ]) {
    expect(listed.answer(bytes)).toBe(open.answer(bytes));
  }
});

test("without a list an origin changes nothing, and a preflight is an ordinary OPTIONS", () => {
  const bench = new Bench();
  expect(bench.answer(request("GET", "/led", origin(panel)))).toBe(bench.answer(request("GET", "/led")));
  const preflight = readResponse(bench.answer(request("OPTIONS", "/led", origin(panel) + asks("PUT"))));
  expect(preflight.status).toBe(204);
  expect(preflight.fields.get("allow")).toBe("GET, HEAD, PUT, POST, DELETE, OPTIONS");
  expect([...preflight.fields.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test.each(["*", "null", "https://panel.example/", "panel.example"])("%j is no origin to be allowed", (from) => {
  expect(() => new Bench({}, false, { origins: [from] })).toThrow(
    "An allowed origin has the form in which browsers write it",
  );
});

test("the debug log tells of a preflight and of a refused origin", () => {
  const bench = newBench(true);
  bench.send(request("OPTIONS", "/led", origin(panel) + asks("PUT")));
  bench.send(request("GET", "/led", origin("https://evil.example")));
  expect(bench.log.filter((line) => / (?:OPTIONS \/led 204|GET \/led 403 .*)$/.test(line))).toHaveLength(2);
});

test("no answer allows another origin anything", () => {
  const bytes = request("OPTIONS", "/led", "Origin: http://b\r\nAccess-Control-Request-Method: PUT\r\n");
  expect(new Bench().answer(bytes).toLowerCase()).not.toContain("access-control");
});
