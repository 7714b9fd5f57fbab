/** `fetch` on simulated connections: what it sends, what it refuses to send, and what it makes of a response. */
import { beforeEach, describe, expect, test } from "vitest";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedConnector } from "../../../ts/native/simulated/connector.ts";
import type { SimulatedPeer } from "../../../ts/native/simulated/net.ts";
import { Dialer } from "../../../ts/parts/client/dialer.ts";
import { type FetchOptions, type FetchResponse, fetchFrom } from "../../../ts/parts/client/fetch-from.ts";
import { malformedResponses } from "../../wire/response.ts";

const target = "192.0.2.10:8080";
const url = `http://${target}/cellar`;
const ok = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{"celsius":3.5}';

let clock: SimulatedClock;
let connector: SimulatedConnector;
let dialer: Dialer;
let fetches: { underWay: number };
let idle: number;

beforeEach(() => {
  clock = new SimulatedClock();
  connector = new SimulatedConnector();
  connector.start([target], () => undefined);
  dialer = new Dialer(clock, connector);
  fetches = { underWay: 0 };
  idle = clock.running;
});

function ask(options: FetchOptions = {}, where = url): Promise<FetchResponse> {
  const numberOf = (name: string): number => {
    if (name !== target) throw new Error(`${name} was not named.`);
    return 0;
  };
  const promise = fetchFrom({ clock, connector: dialer, agent: "nound/1", fetches, numberOf }, where, options);
  promise.catch(() => undefined); // told when it is awaited
  return promise;
}

/** Asks, and takes the connection. */
async function begin(options?: FetchOptions): Promise<readonly [SimulatedPeer, Promise<FetchResponse>]> {
  const response = ask(options);
  await Promise.resolve();
  return [connector.accept(), response];
}

async function answeredWith(bytes: string): Promise<FetchResponse> {
  const [peer, response] = await begin();
  peer.send(bytes);
  return await response;
}

function expectNothingHeld(): void {
  expect({ running: clock.running, ...fetches, questions: connector.questions }).toEqual({
    running: idle,
    underWay: 0,
    questions: [],
  });
}

describe("what it sends:", () => {
  const first = "Host: 192.0.2.10:8080\r\nUser-Agent: nound/1\r\n";
  const last = "Connection: close\r\n\r\n";
  const json = { "Content-Type": "application/json" };
  test.each<[string, FetchOptions, string]>([
    ["a GET", {}, `GET /cellar HTTP/1.1\r\n${first}${last}`],
    ["a DELETE", { method: "DELETE" }, `DELETE /cellar HTTP/1.1\r\n${first}${last}`],
    ["a POST without a body", { method: "POST" }, `POST /cellar HTTP/1.1\r\n${first}Content-Length: 0\r\n${last}`],
    [
      "a PUT",
      { method: "PUT", headers: json, body: '{"on":1}' },
      `PUT /cellar HTTP/1.1\r\n${first}Content-Type: application/json\r\nContent-Length: 8\r\n${last}{"on":1}`,
    ],
    [
      "a text, as UTF-8",
      { method: "PATCH", headers: { "X-Empty": "", Accept: "a b" }, body: "é\ud800" },
      `PATCH /cellar HTTP/1.1\r\n${first}X-Empty: \r\nAccept: a b\r\n` +
        `Content-Type: text/plain;charset=UTF-8\r\nContent-Length: 5\r\n${last}\xc3\xa9\xef\xbf\xbd`,
    ],
  ])("%s", async (_, options, bytes) => {
    const [peer] = await begin(options);
    expect(peer.received).toBe(bytes);
  });
});

describe("it refuses, and asks nobody:", () => {
  test.each<[string, object, RegExp]>([
    ["another method", { method: "TRACE" }, /^The method of fetch must be one of GET, /],
    ["a method in lower case", { method: "put" }, /^The method of fetch must be one of /],
    ["a GET with a body", { body: "a" }, /^A GET has no body\./],
    ["a body that is no text", { method: "PUT", body: {} }, /^The body of fetch must be a string\./],
    [
      "a body over the limit",
      { method: "PUT", body: "é".repeat(32_769) },
      /^The body of fetch has at most 65536 bytes/,
    ],
    ["a head over the limit", { headers: { a: "a".repeat(8_192) } }, /^The head of fetch has at most 8192 bytes\./],
    ["a second request in a field", { headers: { a: "b\r\nC: d" } }, /^fetch cannot send the header field a\./],
    ["a NUL in a field", { headers: { a: "\0" } }, /^fetch cannot send the header field a\./],
    ["a field that is not ASCII", { headers: { a: "é" } }, /^fetch cannot send the header field a\./],
    ["a space at a value's end", { headers: { a: "b " } }, /^fetch cannot send the header field a\./],
    ["a field's name with a space", { headers: { "a b": "c" } }, /^fetch cannot send the header field a b\./],
    ["a field without a name", { headers: { "": "c" } }, /^fetch cannot send the header field \./],
    ["a field twice", { headers: { a: "b", A: "b" } }, /^The header field A occurs twice\./],
    ...["Host", "content-length", "Transfer-Encoding", "Connection", "Expect", "Upgrade", "TE", "Trailer"].map(
      (name): [string, object, RegExp] => [name, { headers: { [name]: "a" } }, /^fetch sets the header field /],
    ),
  ])("%s", async (_, options, sentence) => {
    await expect(ask(options)).rejects.toThrow(sentence);
    await expect(ask(options)).rejects.toBeInstanceOf(TypeError);
    expectNothingHeld();
  });

  test.each([
    "wss://192.0.2.10:8080/",
    "http://a@192.0.2.10:8080/",
    "http://192.0.2.10:8080/a b",
    "http://192.0.2.10:8080/\r\nX: y",
    "192.0.2.10:8080",
    "",
  ])("the URL %j", async (where) => {
    await expect(ask({}, where)).rejects.toThrow("fetch takes a URL such as http://192.0.2.10:8080/cellar, not ");
    expectNothingHeld();
  });

  test.each(["http://192.0.2.10/cellar", "http://192.0.2.11:8080/cellar", "http://localhost:8080/cellar"])(
    "a server that was not named: %s",
    async (where) => {
      await expect(ask({}, where)).rejects.toThrow(" was not named.");
      expectNothingHeld();
    },
  );
});

describe("the response", () => {
  test("has a status, fields, and a body as text and as JSON", async () => {
    const {
      status,
      ok: isOk,
      headers,
      text,
      json,
    } = await answeredWith(
      'HTTP/1.1 200 OK\r\nETag:\t"a" \r\nVary: a\r\nvary: b\r\nContent-Length: 15\r\n\r\n{"celsius":3.5}',
    );
    expect({ status, isOk }).toEqual({ status: 200, isOk: true });
    expect(["etag", "Vary", "VARY", "x", "", "http/1.1 200 ok"].map((name) => headers.get(name))).toEqual([
      '"a"',
      "a, b",
      "a, b",
      null,
      null,
      null,
    ]);
    expect([await text(), await json(), await text()]).toEqual([
      '{"celsius":3.5}',
      { celsius: 3.5 },
      '{"celsius":3.5}',
    ]);
    expectNothingHeld();
  });

  test("has the fields of the final head alone", async () => {
    const { headers } = await answeredWith(`HTTP/1.1 103 E\r\nLink: a\r\n\r\n${ok}`);
    expect([headers.get("link"), headers.get("content-type")]).toEqual([null, "application/json"]);
  });

  test("may come in chunks, or end with its connection", async () => {
    const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n";
    expect(await (await answeredWith(chunked)).text()).toBe("abc");
    const [peer, response] = await begin();
    peer.send("HTTP/1.1 200 OK\r\n\r\nabc");
    peer.end();
    expect(await (await response).text()).toBe("abc");
  });

  test("of a failure, or of a redirect, is a response", async () => {
    const redirect = await answeredWith("HTTP/1.1 307 F\r\nLocation: http://b/\r\nContent-Length: 0\r\n\r\n");
    expect([redirect.status, redirect.ok, redirect.headers.get("location")]).toEqual([307, false, "http://b/"]);
    const failure = await answeredWith("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
    expect([failure.status, failure.ok, await failure.text()]).toEqual([500, false, ""]);
  });

  test("that is not UTF-8, or not JSON, is an error where it is read", async () => {
    const broken = await answeredWith("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\xff");
    await expect(broken.text()).rejects.toThrow("The body of the response is not UTF-8.");
    await expect(broken.json()).rejects.toThrow("The body of the response is not UTF-8.");
    await expect((await answeredWith("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{")).json()).rejects.toThrow(
      SyntaxError,
    );
  });
});

describe("there is no response, and nothing is held, after", () => {
  test.each(malformedResponses)("$name", async ({ bytes }) => {
    const [peer, response] = await begin();
    peer.send(bytes);
    await expect(response).rejects.toThrow(/^192\.0\.2\.10:8080: [A-Z][\x20-\x7e]+\.$/);
    expect(peer.released).toBe(true);
    expectNothingHeld();
  });

  test("a body over the limit", async () => {
    const [peer, response] = await begin();
    peer.send(`HTTP/1.1 200 OK\r\n\r\n${"a".repeat(65_537)}`);
    await expect(response).rejects.toThrow("192.0.2.10:8080: The body is longer than 65536 bytes.");
    expectNothingHeld();
  });

  test("5 s, however many bytes have come", async () => {
    const [peer, response] = await begin();
    for (const byte of ok.slice(0, 50)) {
      peer.send(byte);
      clock.advance(100);
    }
    await expect(response).rejects.toThrow("192.0.2.10:8080: There was no response within 5000 ms.");
    expect(peer.released).toBe(true);
    expectNothingHeld();
  });

  test("a connection that is refused, and a connector that has ended", async () => {
    const refused = ask();
    await Promise.resolve();
    connector.refuse("Connection refused");
    await expect(refused).rejects.toThrow("192.0.2.10:8080: It cannot be reached: Connection refused.");
    connector.die();
    const late = ask();
    await Promise.resolve();
    clock.advance(0);
    await expect(late).rejects.toThrow("192.0.2.10:8080: It cannot be reached: the connector has ended.");
    expectNothingHeld();
  });

  test("an abort: before the request, before the connection, before the response", async () => {
    const reason = new Error("enough");
    await expect(ask({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(connector.questions).toHaveLength(0);
    const early = new AbortController();
    const waiting = ask({ signal: early.signal });
    await Promise.resolve();
    early.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(connector.accept().released).toBe(true);
    const late = new AbortController();
    const [peer, response] = await begin({ signal: late.signal });
    late.abort(reason);
    await expect(response).rejects.toBe(reason);
    expect(peer.released).toBe(true);
    expectNothingHeld();
  });
});

test("an abort after the response changes nothing", async () => {
  const controller = new AbortController();
  const [peer, response] = await begin({ signal: controller.signal });
  peer.send(ok);
  controller.abort();
  expect((await response).status).toBe(200);
  expectNothingHeld();
});

test("eight requests run at once, and the ninth is refused", async () => {
  const begun = Array.from({ length: 8 }, () => ask());
  await expect(ask()).rejects.toThrow("fetch has 8 requests under way.");
  for (const response of begun) {
    connector.accept().send(ok);
    expect((await response).status).toBe(200);
  }
  expectNothingHeld();
});
