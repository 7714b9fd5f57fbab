/**
 * `server.close()`: no new connections, requests in flight are answered, and everything ends within `shutdownTimeout`.
 */
import { afterEach, describe, expect, test, vi } from "vitest";
import { address, Bench, json, request, withBody } from "../bench.ts";
import { promisesKept, RecordingNoun } from "../recording-noun.ts";
import { expectState, readResponse, readResponses, statuses } from "../responses.ts";

/** @returns a function that says whether the server is closed by now. */
function closing(bench: Bench): () => Promise<boolean> {
  let closed = false;
  void bench.server.close().then(() => {
    closed = true;
  });
  return async () => {
    await promisesKept();
    return closed;
  };
}

function expectLastOne(received: string): void {
  const responses = readResponses(received);
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  expect(responses.at(-1)?.fields.get("connection")).toBe("close");
}

test("closes idle connections at once, without a word", async () => {
  const bench = new Bench();
  const fresh = bench.connect();
  const used = bench.send(request("GET", "/led"));
  used.take();
  const closed = closing(bench);
  expect(fresh.released && used.released).toBe(true);
  expect(fresh.received + used.received).toBe("");
  expect(await closed()).toBe(true);
  expect(bench.clock.running).toBe(0);
});

test("refuses new connections and new addresses", async () => {
  const bench = new Bench();
  bench.send(request("GET", "/slow"));
  void bench.server.close();
  expect(() => bench.connect()).toThrow();
  expect(() => bench.server.listen("127.0.0.1:8081")).toThrow(/closed/);
  await bench.slow.answer(0, {});
});

test("gives the same promise again", () => {
  const { server } = new Bench();
  expect(server.close()).toBe(server.close());
});

test("without connections is done at once", async () => {
  const bench = new Bench();
  expect(await closing(bench)()).toBe(true);
  expect(bench.clock.running).toBe(0);
});

describe("a request in flight is answered with Connection: close when it", () => {
  test("waits for its noun", async () => {
    const bench = new Bench();
    const peer = bench.send(request("GET", "/slow"));
    const closed = closing(bench);
    peer.send(request("DELETE", "/led"));
    expect(await closed()).toBe(false);
    await bench.slow.answer(0, {});
    expectLastOne(peer.received);
    expect(peer.closed).toBe(true);
    peer.end();
    expect(await closed()).toBe(true);
    expect(bench.led.calls).toEqual([]);
    expect(bench.clock.running).toBe(0);
  });

  test("has others pipelined behind it, which do not begin", async () => {
    const bench = new Bench();
    const peer = bench.send(request("GET", "/slow") + request("DELETE", "/led"));
    const closed = closing(bench);
    await bench.slow.answer(0, {});
    expect(statuses(peer.received)).toEqual([200]);
    expectLastOne(peer.received);
    expect(bench.led.calls).toEqual([]);
    peer.end();
    expect(await closed()).toBe(true);
  });

  test("waits for the rest of its body", async () => {
    const bench = new Bench();
    const bytes = withBody("PUT", "/led", '{"led":1}');
    const peer = bench.send(bytes.slice(0, -1));
    const closed = closing(bench);
    peer.send("}");
    expectLastOne(peer.received);
    expect(bench.led.calls).toHaveLength(1);
    expect(await closed()).toBe(true);
  });

  test("waits for the rest of its head", async () => {
    const bench = new Bench();
    const peer = bench.send(request("GET", "/led").slice(0, 10));
    const closed = closing(bench);
    peer.send(request("GET", "/led").slice(10));
    expectLastOne(peer.received);
    expect(await closed()).toBe(true);
  });

  test("calls close itself", async () => {
    const bench = new Bench();
    const noun = new RecordingNoun({ off: true });
    let closed: Promise<void> | undefined;
    noun.getState = () => {
      closed = bench.server.close();
      return { off: true };
    };
    bench.server.register("power", noun);
    const idle = bench.connect();
    const peer = bench.send(request("GET", "/power") + request("DELETE", "/power"));
    expectLastOne(peer.received);
    expect(noun.calls).toEqual([]);
    expect(idle.released).toBe(true);
    peer.end();
    await closed;
    expect(bench.clock.running).toBe(0);
  });
});

test("an answer that is not taken yet is not cut short", async () => {
  const bench = new Bench();
  const peer = bench.connect();
  peer.setRoom(10);
  peer.send(request("GET", "/led"));
  const closed = closing(bench);
  expect(peer.released).toBe(false);
  peer.setRoom(Number.POSITIVE_INFINITY);
  expect(statuses(peer.received)).toEqual([200]);
  expect(peer.closed).toBe(true);
  peer.end();
  expect(await closed()).toBe(true);
});

test("a connection that only has a refused body to skip is closed at once", () => {
  const bench = new Bench();
  const peer = bench.send(request("PUT", "/zqx", `${json}Content-Length: 9\r\n`));
  void bench.server.close();
  expect(peer.closed).toBe(true);
  peer.send(`123456789${request("DELETE", "/led")}`);
  expect(bench.led.calls).toEqual([]);
});

test("a connection on its way out stays there", async () => {
  const bench = new Bench();
  const refused = bench.send("zqx\r\n");
  const over = bench.send("zqx\r\n");
  const closed = closing(bench);
  expect(await closed()).toBe(false);
  refused.end();
  over.end();
  expect(await closed()).toBe(true);
});

test("what is left after shutdownTimeout is closed", async () => {
  const bench = new Bench({ nounTimeout: 60_000 });
  const waiting = bench.send(request("GET", "/slow"));
  const half = bench.send("GET /led");
  const closed = closing(bench);
  bench.clock.advance(4_999);
  expect(waiting.released || half.released).toBe(false);
  bench.clock.advance(2);
  expect(waiting.released && half.released).toBe(true);
  expect(await closed()).toBe(true);
  await bench.slow.answer(0, {});
  expect(bench.clock.running).toBe(0);
});

test("a noun that closes the server in its own operation may wait for it, and is answered", async () => {
  const bench = new Bench();
  bench.led.deleteState = (() => bench.server.close().then(() => ({ led: 0 }))) as never;
  const idle = bench.connect();
  const peer = bench.send(request("DELETE", "/led"));
  await promisesKept();
  expect(idle.closed).toBe(true);
  const response = readResponse(peer.received);
  expectState(response, { led: 0 }, "close");
  expect(peer.closed).toBe(true);
});

test("every address is closed", () => {
  const bench = new Bench();
  bench.server.listen("[::1]:8080");
  void bench.server.close();
  for (const listened of [address, "[::1]:8080"]) expect(() => bench.net.connect(listened)).toThrow();
});

describe("a connection whose end failed half way, because memory is short,", () => {
  afterEach(() => vi.restoreAllMocks());

  /** A connection is reset by its peer while the engine has no memory for the deletion number `failing` from a set. */
  function closedHalfWay(bench: Bench, failing: number): void {
    const peer = bench.connect();
    const whole = Set.prototype.delete;
    let deletion = 0;
    vi.spyOn(Set.prototype, "delete").mockImplementation(function (this: Set<unknown>, value) {
      deletion += 1;
      if (deletion === failing) throw new RangeError("out of memory");
      return whole.call(this, value);
    });
    expect(() => peer.reset()).toThrow("out of memory");
    vi.restoreAllMocks();
  }

  test("takes no other's place for long", () => {
    const bench = new Bench({ maxConnections: 1 });
    closedHalfWay(bench, 1);
    bench.clock.advance(11_000);
    expect(bench.clock.running).toBe(0);
    expect(statuses(bench.answer(request("GET", "/led")))).toEqual([200]);
  });

  test.each([1, 2])("leaves the limit as it was, if it was refused: %d", async (failing) => {
    const bench = new Bench({ maxConnections: 1 });
    const busy = bench.send(request("GET", "/slow"));
    closedHalfWay(bench, failing);
    bench.clock.advance(3_000);
    await bench.slow.answer(0, {});
    expect(statuses(busy.received)).toEqual([200]);
    bench.connect();
    expect(busy.closed).toBe(true);
  });

  test("does not hinder the server's end", async () => {
    const bench = new Bench();
    closedHalfWay(bench, 1);
    expect(await closing(bench)()).toBe(true);
    expect(bench.clock.running).toBe(0);
  });
});

test("a request behind one of HTTP/1.0 is not executed, whatever the first one says of its connection", () => {
  for (const fields of ["", "Connection: keep-alive\r\n"]) {
    const bench = new Bench();
    const peer = bench.send(request("GET", "/led", fields).replace("HTTP/1.1", "HTTP/1.0") + request("DELETE", "/led"));
    expect(statuses(peer.received)).toEqual([200]);
    expect(peer.received).toContain("\r\nConnection: close\r\n");
    expect(bench.led.calls).toEqual(["GET"]);
  }
});

test("a client that is silent has three seconds since it connected, and one at least, to begin", async () => {
  const bench = new Bench();
  const old = bench.connect();
  bench.clock.advance(4_000);
  const late = bench.connect();
  bench.clock.advance(500);
  void bench.server.close(1_000);
  bench.clock.advance(999);
  expect([old.closed, late.closed]).toEqual([false, false]);
  bench.clock.advance(100);
  expect([old.closed, late.closed]).toEqual([true, false]);
  bench.clock.advance(1_300);
  late.send(request("GET", "/led"));
  expect(late.received).toContain("200 OK");
  expect(late.closed).toBe(true);
});
