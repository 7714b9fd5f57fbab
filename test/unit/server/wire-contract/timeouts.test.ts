/** Every limit on time, on a simulated clock. A deadline may come up to 20 ms late, never early. */
import { describe, expect, test, vi } from "vitest";
import { Operation } from "../../../../ts/core/operations/operation.ts";
import { Connection } from "../../../../ts/core/server/connection.ts";
import { Bench, json, request } from "../bench.ts";
import { RecordingNoun } from "../recording-noun.ts";
import { expectProblem, expectState, readResponse, readResponses, statuses } from "../responses.ts";

/** What a deadline may come late, in ms. */
const late = 20;

const halfPut = request("PUT", "/led", `${json}Content-Length: 9\r\n`);

describe("the first head of a connection", () => {
  test("has 10 s from the accept when nothing is sent", () => {
    const bench = new Bench();
    const peer = bench.connect();
    bench.clock.advance(9_999);
    expect(peer.received).toBe("");
    expect(peer.closed).toBe(false);
    bench.clock.advance(1 + late);
    expectProblem(readResponse(peer.received), 408);
    expect(peer.closed).toBe(true);
  });

  test("has 10 s from the accept, not from its first byte", () => {
    const bench = new Bench();
    const peer = bench.connect();
    bench.clock.advance(9_000);
    peer.send("GET /led");
    bench.clock.advance(999);
    expect(peer.received).toBe("");
    bench.clock.advance(1 + late);
    const response = readResponse(peer.received);
    expectProblem(response, 408);
    expect(response.fields.get("connection")).toBe("close");
    peer.send(" HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(bench.led.calls).toEqual([]);
  });

  test("gets no more time for each byte it sends", () => {
    const bench = new Bench();
    const peer = bench.connect();
    for (const byte of "GET /led H") {
      peer.send(byte);
      bench.clock.advance(1_000 - (byte === "H" ? 1 : 0));
    }
    expect(peer.received).toBe("");
    bench.clock.advance(1 + late);
    expect(statuses(peer.received)).toEqual([408]);
  });

  test("is served when it is complete in the last moment", () => {
    const bench = new Bench();
    const peer = bench.connect();
    bench.clock.advance(9_999);
    peer.send(request("GET", "/led"));
    bench.clock.advance(5_000);
    expectState(readResponse(peer.received), { led: 0 });
    expect(peer.closed).toBe(false);
  });
});

describe("a later head", () => {
  test.each(["G", "\r", "\r\n"])("has 10 s from its first byte, which is %j", (first) => {
    const bench = new Bench();
    const peer = bench.send(request("GET", "/led"));
    peer.take();
    bench.clock.advance(50_000);
    peer.send(first);
    bench.clock.advance(9_999);
    expect(peer.received).toBe("");
    bench.clock.advance(1 + late);
    expect(statuses(peer.received)).toEqual([408]);
    expect(peer.closed).toBe(true);
  });

  test("that is pipelined has its time from the answer before it", async () => {
    const bench = new Bench({ headersTimeout: 1_000 });
    const peer = bench.send(`${request("GET", "/slow")}GET /led`);
    bench.clock.advance(1_000 + late);
    await bench.slow.answer(0, {});
    bench.clock.advance(999);
    expect(statuses(peer.received)).toEqual([200]);
    bench.clock.advance(1 + late);
    expect(statuses(peer.received)).toEqual([200, 408]);
    expect(peer.closed).toBe(true);
  });
});

describe("a body", () => {
  test("has 10 s from the end of its head", () => {
    const bench = new Bench();
    const peer = bench.connect();
    bench.clock.advance(9_000);
    peer.send(halfPut);
    bench.clock.advance(5_000);
    peer.send('{"led":1');
    bench.clock.advance(4_999);
    expect(peer.received).toBe("");
    bench.clock.advance(1 + late);
    const response = readResponse(peer.received);
    expectProblem(response, 408);
    expect(response.fields.get("connection")).toBe("close");
    peer.send("}");
    expect(bench.led.calls).toEqual([]);
    expect(peer.closed).toBe(true);
  });

  test("that was asked for with 100 Continue has the same time", () => {
    const bench = new Bench();
    const peer = bench.send(request("PUT", "/led", `${json}Content-Length: 9\r\nExpect: 100-continue\r\n`));
    bench.clock.advance(10_000 + late);
    expect(statuses(peer.received)).toEqual([100, 408]);
  });

  test("of a refused request has the same time, and no second answer", () => {
    const bench = new Bench();
    const peer = bench.send(request("PUT", "/zqx", `${json}Content-Length: 9\r\n`));
    expect(statuses(peer.received)).toEqual([404]);
    bench.clock.advance(9_999);
    expect(peer.closed).toBe(false);
    bench.clock.advance(1 + late);
    expect(statuses(peer.received)).toEqual([404]);
    expect(peer.closed).toBe(true);
    peer.send(`123456789${request("DELETE", "/led")}`);
    expect(bench.led.calls).toEqual([]);
  });

  test("of a refused request that does not come gets no second answer", async () => {
    const bench = new Bench({ bodyTimeout: 1_000 });
    const peer = bench.send(request("GET", "/slow") + request("PUT", "/zqx", `${json}Content-Length: 9\r\n`));
    await bench.slow.answer(0, { a: 1 });
    bench.clock.advance(1_000 + late);
    expect(statuses(peer.received)).toEqual([200, 404]);
    expect(peer.closed).toBe(true);
  });
});

describe("an idle connection", () => {
  test("is closed without a word 60 s after its last answer", async () => {
    const bench = new Bench();
    const peer = bench.send(request("GET", "/slow"));
    bench.clock.advance(4_000);
    await bench.slow.answer(0, {});
    expectState(readResponse(peer.take()), {});
    bench.clock.advance(59_999);
    expect(peer.closed).toBe(false);
    bench.clock.advance(1 + late);
    expect(peer.released).toBe(true);
    expect(peer.received).toBe("");
    expect(bench.timers).toBe(0);
  });

  test("has 60 s after each request again", () => {
    const bench = new Bench();
    const peer = bench.connect();
    for (let round = 0; round < 4; round++) {
      peer.send(request("GET", "/led"));
      bench.clock.advance(59_999);
    }
    expect(statuses(peer.received)).toEqual([200, 200, 200, 200]);
    expect(peer.closed).toBe(false);
  });
});

describe("an answer", () => {
  test("that is not taken within 10 s is dropped with its connection", () => {
    const bench = new Bench();
    const peer = bench.connect();
    peer.setRoom(20);
    peer.send(request("GET", "/led"));
    expect(peer.received).toHaveLength(20);
    bench.clock.advance(9_999);
    expect(peer.released).toBe(false);
    bench.clock.advance(1 + late);
    expect(peer.released).toBe(true);
    expect(bench.timers).toBe(0);
  });

  test("that is taken byte by byte has no more time", () => {
    const bench = new Bench();
    const peer = bench.connect();
    peer.setRoom(0);
    peer.send(request("GET", "/led"));
    for (let second = 0; second < 10; second++) {
      peer.setRoom(1);
      bench.clock.advance(1_000);
    }
    bench.clock.advance(late);
    expect(peer.released).toBe(true);
  });

  test("that the client reads in time leaves the connection as it was", () => {
    const bench = new Bench();
    const peer = bench.connect();
    peer.setRoom(0);
    peer.send(request("GET", "/led"));
    bench.clock.advance(9_999);
    peer.setRoom(Number.POSITIVE_INFINITY);
    bench.clock.advance(50_000);
    peer.send(request("GET", "/led"));
    expect(statuses(peer.received)).toEqual([200, 200]);
  });
});

describe("a noun's operation", () => {
  test("that takes 5 s is answered with 503 and the connection goes on", async () => {
    const bench = new Bench();
    const peer = bench.send(request("GET", "/slow") + request("GET", "/led"));
    bench.clock.advance(4_999);
    expect(peer.received).toBe("");
    bench.clock.advance(1);
    const [expired, next] = readResponses(peer.received);
    if (expired === undefined || next === undefined) throw new Error("an answer is missing");
    expectProblem(expired, 503);
    expectState(next, { led: 0 });
    expect(peer.closed).toBe(false);
    await bench.slow.answer(0, { late: true });
    expect(statuses(peer.received)).toEqual([503, 200]);
  });

  test("whose answer got lost holds its connection for its time and that of an idle connection, not longer", () => {
    const bench = new Bench({ nounTimeout: 5_000, keepAliveTimeout: 60_000 });
    vi.spyOn(Operation.prototype, "end").mockImplementation(() => {});
    const peer = bench.send(request("GET", "/slow"));
    bench.clock.advance(64_999);
    expect(peer.closed).toBe(false);
    bench.clock.advance(1 + late);
    vi.restoreAllMocks();
    expect([peer.received, peer.closed]).toEqual(["", true]);
    expect(bench.timers).toBe(0);
  });
});

test("a peer that never closes after a refusal is closed after a while", () => {
  const bench = new Bench();
  const peer = bench.send("zqx\r\n");
  expect(peer.closed).toBe(true);
  expect(peer.released).toBe(false);
  for (let round = 0; round < 21; round++) {
    peer.send("more");
    bench.clock.advance(100);
  }
  expect(peer.released).toBe(true);
  expect(bench.timers).toBe(0);
});

describe("the last answer of a connection, when bytes come behind it,", () => {
  const last = (bench: Bench, text: string) => {
    bench.server.register("text", new RecordingNoun({ text }));
    return bench.send(request("GET", "/text", "Connection: close\r\n"));
  };

  test("is not cut off by the close if the kernel may still hold a part of it", () => {
    const bench = new Bench();
    const peer = last(bench, "x".repeat(2_000));
    peer.send("\r\n");
    expect([statuses(peer.received), peer.closed, peer.released]).toEqual([[200], true, false]);
    peer.end();
    expect(peer.released).toBe(true);
    expect(bench.timers).toBe(0);
  });

  test("is waited for no longer than after a refusal", () => {
    const bench = new Bench();
    const peer = last(bench, "x".repeat(2_000));
    bench.clock.advance(2_000 + late);
    expect(peer.released).toBe(true);
  });

  test("has left in one packet if it is short, and the connection is over at once", () => {
    expect(last(new Bench(), "x").released).toBe(true);
  });
});

describe("a body of which more waits in the kernel than is read at once", () => {
  const head = request("PUT", "/led", `${json}Content-Length: 30000\r\n`);
  const body = `{"text":"${"x".repeat(30_000 - 11)}"}`;
  const first = (head + body).slice(0, 16_384);
  const rest = (head + body).slice(16_384);
  const limits = { bodyBytes: 65_536, bodyTimeout: 400 };

  test("is read before its time limit is judged, as after a stall", () => {
    const bench = new Bench(limits);
    const peer = bench.send(first.slice(0, 200));
    bench.clock.advance(395);
    peer.send(first.slice(200) + rest.slice(0, 200));
    bench.clock.advance(5 + 10);
    expect(peer.received).toBe("");
    peer.send(rest.slice(200));
    expect(statuses(peer.received)).toEqual([200]);
  });

  test("has no more time than that: a client that stops there gets 408", () => {
    const bench = new Bench(limits);
    const peer = bench.send(first);
    bench.clock.advance(400 + 2 * late);
    expectProblem(readResponse(peer.received), 408);
  });
});

test("a refusal that fails half way, because memory is short, is not sent twice", () => {
  const bench = new Bench();
  const peer = bench.send("GET /led");
  // What has been written is in the output; then there is no memory for the next wait.
  vi.spyOn(Connection.prototype as unknown as { waitForNext(): void }, "waitForNext").mockImplementationOnce(() => {
    throw new RangeError("out of memory");
  });
  expect(() => bench.clock.advance(10_000 + late)).toThrow("out of memory");
  vi.restoreAllMocks();
  bench.clock.advance(60_000);
  expect(statuses(peer.received).length).toBeLessThanOrEqual(1);
  expect(peer.closed).toBe(true);
});
