/** Every limit on sizes: at the limit a request is served, one over it is refused. */
import { describe, expect, test } from "vitest";
import type { ServerLimits } from "../../../../ts/server/options.ts";
import { Bench, host, json, request, withBody } from "../bench.ts";
import { RecordingNoun } from "../recording-noun.ts";
import { expectProblem, expectState, readResponse } from "../responses.ts";

function expectAnswer(bytes: string, status: number, limits: Partial<ServerLimits> = {}): void {
  for (const pieces of [[bytes], [...bytes]]) {
    const bench = new Bench(limits);
    bench.server.register("n".repeat(64), new RecordingNoun({ led: 0 }));
    const peer = bench.connect();
    for (const piece of pieces) peer.send(piece);
    const response = readResponse(peer.received);
    if (status === 200) expect(response.status, response.body).toBe(200);
    else expectProblem(response, status);
    const closes = [413, 414, 431, 501].includes(status);
    expect(response.fields.get("connection")).toBe(closes ? "close" : undefined);
    expect(peer.closed).toBe(closes);
  }
}

/** A target of so many bytes for a noun with a name of 64 characters. */
function target(bytes: number): string {
  const plain = bytes - 1 - 3 * 63;
  const name = `/${"%6e".repeat(63)}`;
  if (plain === 1) return `${name}n`;
  return `http://${"a".repeat(bytes - 7 - 65)}/${"n".repeat(64)}`;
}

describe("the request target", () => {
  test("may have 256 bytes", () => expectAnswer(request("GET", target(256)), 200));
  test("of 257 bytes is refused", () => expectAnswer(request("GET", target(257)), 414));
  test("is refused at its 257th byte, before its line ends", () => expectAnswer(`GET /${"a".repeat(256)}`, 414));
  test("has the limit that is chosen", () => {
    expectAnswer(request("GET", "/led"), 200, { targetBytes: 4 });
    expectAnswer(request("GET", "/led"), 414, { targetBytes: 3 });
  });
});

/** A header section of so many bytes, its lines' ends included. */
function section(bytes: number): string {
  return `${host}X: ${"a".repeat(bytes - host.length - 5)}\r\n`;
}

describe("the header section", () => {
  test("may have 4096 bytes", () => {
    expect(section(4096).length).toBe(4096);
    expectAnswer(`GET /led HTTP/1.1\r\n${section(4096)}\r\n`, 200);
  });
  test("of 4097 bytes is refused", () => expectAnswer(`GET /led HTTP/1.1\r\n${section(4097)}\r\n`, 431));
  test("is refused at its 4097th byte", () =>
    expectAnswer(`GET /led HTTP/1.1\r\n${section(5000).slice(0, 4097)}`, 431));
  test("may have 32 fields", () => expectAnswer(request("GET", "/led", "A: b\r\n".repeat(31)), 200));
  test("of 33 fields is refused", () => expectAnswer(request("GET", "/led", "A: b\r\n".repeat(32)), 431));
  test("has the limits that are chosen", () => {
    expectAnswer(request("GET", "/led"), 200, { headerBytes: 9, headerFields: 1 });
    expectAnswer(request("GET", "/led"), 431, { headerBytes: 8, headerFields: 1 });
    expectAnswer(request("GET", "/led", "A: b\r\n"), 431, { headerFields: 1 });
  });
});

/** A state of so many bytes. */
function body(bytes: number): string {
  return `{"a":"${"x".repeat(bytes - 8)}"}`;
}

describe("the body", () => {
  test("may have 4096 bytes", () => {
    expect(body(4096).length).toBe(4096);
    expectAnswer(withBody("PUT", "/led", body(4096)), 200);
  });
  test("of 4097 bytes is refused before it is read", () => {
    expectAnswer(request("PUT", "/led", `${json}Content-Length: 4097\r\n`), 413);
    expectAnswer(request("POST", "/led", `${json}Content-Length: 4097\r\n`), 413);
  });
  test.each(["9007199254740993", "9".repeat(400)])("of %s bytes is refused before it is read", (length) => {
    expectAnswer(request("PUT", "/led", `${json}Content-Length: ${length}\r\n`), 413);
  });
  test("is not asked for with 100 Continue when it is over the limit", () => {
    expectAnswer(request("PUT", "/led", `${json}Content-Length: 4097\r\nExpect: 100-continue\r\n`), 413);
  });
  test("has the limit that is chosen", () => {
    expectAnswer(withBody("PUT", "/led", body(20)), 200, { bodyBytes: 20 });
    expectAnswer(request("PUT", "/led", `${json}Content-Length: 21\r\n`), 413, { bodyBytes: 20 });
  });
  test("whose length has leading zeros is measured by its value", () => {
    expectAnswer(`${request("PUT", "/led", `${json}Content-Length: 0002\r\n`)}{}`, 200);
  });
});

/** A state of so many pairs. */
function pairs(count: number): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index])));
}

describe("a state", () => {
  test("may have 64 pairs", () => expectAnswer(withBody("PUT", "/led", pairs(64)), 200));
  test("of 65 pairs is refused", () => expectAnswer(withBody("PUT", "/led", pairs(65)), 400));
  test("has the limit that is chosen", () => {
    expectAnswer(withBody("PUT", "/led", pairs(1)), 200, { statePairs: 1 });
    expectAnswer(withBody("PUT", "/led", pairs(2)), 400, { statePairs: 1 });
  });
});

describe("connections", () => {
  test("over the cap get 503 before they are read, and the others go on", () => {
    const bench = new Bench({ maxConnections: 2 });
    const first = bench.connect();
    const second = bench.connect();
    const third = bench.connect();
    const refusal = readResponse(third.received);
    expectProblem(refusal, 503);
    expect(refusal.fields.get("connection")).toBe("close");
    expect(third.closed).toBe(true);
    third.send(request("DELETE", "/led"));
    expect(bench.led.calls).toEqual([]);
    first.send(request("GET", "/led"));
    second.send(request("GET", "/led"));
    expectState(readResponse(first.received), { led: 0 });
    expectState(readResponse(second.received), { led: 0 });
  });

  test("are 128 by default, and a closed one makes room", () => {
    const bench = new Bench();
    const peers = Array.from({ length: 128 }, () => bench.connect());
    expect(peers.some((peer) => peer.closed)).toBe(false);
    expect(readResponse(bench.connect().received).status).toBe(503);
    peers[77]?.end();
    expect(peers[77]?.released).toBe(true);
    expect(bench.connect().received).toBe("");
  });

  test("that are refused and don't go away are let go of, the oldest first", () => {
    const bench = new Bench({ maxConnections: 1 });
    bench.connect();
    const [oldest, newest] = [bench.connect(), bench.connect()];
    expect(oldest?.released).toBe(true);
    expect(newest?.released).toBe(false);
    bench.clock.advance(2_020);
    expect(newest?.released).toBe(true);
  });
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("a limit of %d is refused", (bodyBytes) => {
  expect(() => new Bench({ bodyBytes })).toThrow(RangeError);
});
