/** Every limit on sizes: at the limit a request is served, one over it is refused. */
import { describe, expect, test } from "vitest";
import type { ServerLimits } from "../../../../ts/core/server/options.ts";
import type { SimulatedPeer } from "../../../../ts/native/simulated/net.ts";
import { Bench, host, json, request, withBody } from "../bench.ts";
import { RecordingNoun } from "../recording-noun.ts";
import { expectProblem, expectState, readResponse, statuses } from "../responses.ts";

function expectAnswer(bytes: string, status: number, limits: Partial<ServerLimits> = {}): void {
  for (const pieces of [[bytes], [...bytes]]) {
    const bench = new Bench(limits);
    bench.server.register("n".repeat(64), new RecordingNoun({ led: 0 }));
    const peer = bench.connect();
    for (const piece of pieces) peer.send(piece);
    const response = readResponse(peer.received);
    if (status === 200) expect(response.status, response.content).toBe(200);
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
  const ask = (peer: SimulatedPeer) => {
    peer.send(request("GET", "/led"));
    return statuses(peer.take());
  };

  test("at the cap make room for a newcomer: the one whose last complete request is oldest is closed", () => {
    const bench = new Bench({ maxConnections: 3 });
    const peers = [bench.connect(), bench.connect(), bench.connect()];
    for (const index of [1, 0, 2, 1]) expect(ask(peers[index] as SimulatedPeer)).toEqual([200]);
    const newcomer = bench.connect();
    expect(peers.map((peer) => peer.released)).toEqual([true, false, false]);
    expect(ask(newcomer)).toEqual([200]);
    bench.connect();
    expect(peers.map((peer) => peer.released)).toEqual([true, false, true]);
  });

  test.each([
    ["half a head", "GET /led"],
    ["half a body", withBody("PUT", "/led", "{}").slice(0, -1)],
    ["one request and half of one", `${request("GET", "/led")}GET /led`],
    ["nothing", ""],
  ])("of a client that sends %s keep no newcomer out", (_name, bytes) => {
    const bench = new Bench({ maxConnections: 2 });
    const slow = [bench.connect(), bench.connect()];
    for (const peer of slow) if (bytes !== "") peer.send(bytes);
    for (let count = 0; count < 10; count++) expect(ask(bench.connect())).toEqual([200]);
    expect(slow.every((peer) => peer.released)).toBe(true);
  });

  test("of a client that takes no answers keep no newcomer out", () => {
    const bench = new Bench({ maxConnections: 1 });
    const slow = bench.connect();
    slow.setRoom(1);
    slow.send(request("GET", "/led"));
    expect(ask(bench.connect())).toEqual([200]);
    expect(slow.released).toBe(true);
  });

  test("with a request at a noun are not closed for another; where all have one, the newcomer gets 503", async () => {
    const bench = new Bench({ maxConnections: 2 });
    const busy = bench.send(request("GET", "/slow"));
    const idle = bench.connect();
    const other = bench.send(request("GET", "/slower"));
    expect([busy.released, idle.released]).toEqual([false, true]);
    const refused = bench.connect();
    const refusal = readResponse(refused.received);
    expectProblem(refusal, 503);
    expect(refusal.fields.get("connection")).toBe("close");
    expect(refused.closed).toBe(true);
    refused.send(request("DELETE", "/led"));
    expect(bench.led.calls).toEqual([]);
    await bench.slow.answer(0, { turn: 1 });
    await bench.slower.answer(0, { turn: 2 });
    expectState(readResponse(busy.received), { turn: 1 });
    expectState(readResponse(other.received), { turn: 2 });
  });

  test("are 128 by default", () => {
    const bench = new Bench();
    const peers = Array.from({ length: 128 }, () => bench.connect());
    expect(peers.some((peer) => peer.closed)).toBe(false);
    bench.connect();
    expect(peers.filter((peer) => peer.released)).toEqual([peers[0]]);
  });

  test("that are refused and don't go away are closed by the server, the oldest first", () => {
    const bench = new Bench({ maxConnections: 1, nounTimeout: 60_000 });
    bench.send(request("GET", "/slow"));
    const [oldest, newest] = [bench.connect(), bench.connect()];
    expect(oldest?.released).toBe(true);
    expect(newest?.released).toBe(false);
    bench.clock.advance(2_020);
    expect(newest?.released).toBe(true);
  });
});

test("operations that wait for a noun are never executed once their client is gone", async () => {
  const bench = new Bench();
  bench.send(request("GET", "/slow"));
  const gone = bench.send(request("DELETE", "/slow"));
  const halfClosed = bench.send(request("GET", "/slow"));
  halfClosed.end();
  gone.reset();
  await bench.slow.answer(0, {});
  expect(bench.slow.verbs).toEqual(["GET", "GET"]);
  await bench.slow.answer(1, { last: true });
  expect(statuses(halfClosed.received)).toEqual([200]);
});

test("at most maxQueued operations wait for a noun; the next is answered 503 with Retry-After at once", () => {
  const bench = new Bench({ maxQueued: 2 });
  for (let count = 0; count < 3; count++) bench.send(request("GET", "/slow"));
  const refused = readResponse(bench.answer(request("GET", "/slow")));
  expectProblem(refused, 503);
  expect(refused.fields.get("retry-after")).toBe("1");
});

test("memory is looked at before a request; if it is scarce, the client that holds the most is closed", () => {
  const bench = new Bench({ bodyBytes: 200_000 });
  const large = bench.send(withBody("PUT", "/led", "x".repeat(150_000)).slice(0, -1));
  bench.memory.scarce = true;
  expect(readResponse(bench.answer(request("GET", "/led"))).status).toBe(200);
  expect(large.released).toBe(true);
});

test("the data of chunks counts for what a client holds, and what is skipped of a refused request does not", () => {
  const bench = new Bench({ bodyBytes: 200_000 });
  const chunked = `${json}Transfer-Encoding: chunked\r\n`;
  const begun = `20000\r\n${"x".repeat(0x1ffff)}`;
  const kept = bench.send(request("PUT", "/led", chunked) + begun);
  const skipped = bench.send(request("PUT", "/zqx", chunked) + begun);
  bench.memory.scarce = true;
  expect(readResponse(bench.answer(request("GET", "/led"))).status).toBe(200);
  expect([kept.released, skipped.released]).toEqual([true, false]);
});

test("requests that wait for a noun count for what a client holds", () => {
  const bench = new Bench();
  const body = `{"text":"${"x".repeat(3_000)}"}`;
  const little = bench.send(withBody("PUT", "/slow", body).repeat(2));
  const much = bench.send(withBody("PUT", "/slow", body).repeat(3));
  bench.memory.scarce = true;
  expect(readResponse(bench.answer(request("GET", "/led"))).status).toBe(200);
  expect([little.released, much.released]).toEqual([false, true]);
});

test("requests that wait for the one before them count for what a client holds", () => {
  const bench = new Bench();
  const pipelined = request("GET", "/led", `X: ${"x".repeat(3_000)}\r\n`);
  const little = bench.send(request("GET", "/slow") + pipelined.repeat(2));
  const much = bench.send(request("GET", "/slow") + pipelined.repeat(3));
  bench.memory.scarce = true;
  expect(readResponse(bench.answer(request("GET", "/led"))).status).toBe(200);
  expect([little.released, much.released]).toEqual([false, true]);
});

test("while memory is scarce, no operation waits for a noun: 503 with Retry-After", () => {
  const bench = new Bench();
  bench.send(request("GET", "/slow"));
  bench.memory.scarce = true;
  const refused = readResponse(bench.answer(request("GET", "/slow")));
  expectProblem(refused, 503);
  expect(refused.fields.get("retry-after")).toBe("1");
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("a limit of %d is refused", (bodyBytes) => {
  expect(() => new Bench({ bodyBytes })).toThrow(RangeError);
});
