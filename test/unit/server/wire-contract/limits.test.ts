/** Every limit on sizes: at the limit a request is served, one over it is refused. */
import { describe, expect, test } from "vitest";
import type { ServerLimits } from "../../../../ts/core/server/options.ts";
import type { SimulatedPeer } from "../../../../ts/native/simulated/net.ts";
import { Bench, host, json, request, withBody } from "../bench.ts";
import { expectProblem, expectState, readResponse, statuses } from "../responses.ts";

const put = withBody("PUT", "/led", '{"a":1,"b":2}');

// At their defaults, the vectors try them (test/wire/limits.ts, state-body.ts).
test.each<[keyof ServerLimits, number, string, number]>([
  ["targetBytes", 4, request("GET", "/led"), 414],
  ["headerBytes", host.length, request("GET", "/led"), 431],
  ["headerFields", 2, request("GET", "/led", "A: b\r\n"), 431],
  ["bodyBytes", 13, put, 413],
  ["statePairs", 2, put, 400],
])("%s may be %d, and a request of one more is refused", (limit, most, bytes, status) => {
  for (const pieces of [[bytes], [...bytes]]) {
    const [served, refused] = [most, most - 1].map((size) => {
      const peer = new Bench({ [limit]: size }).connect();
      for (const piece of pieces) peer.send(piece);
      return peer;
    });
    expect(readResponse(served?.received ?? "").status).toBe(200);
    expectProblem(readResponse(refused?.received ?? ""), status);
    expect(refused?.closed).toBe(status !== 400);
  }
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
