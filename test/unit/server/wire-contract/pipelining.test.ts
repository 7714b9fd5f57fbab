/** Connections that persist, answers in order, and the order of operations on one noun. */
import { describe, expect, test } from "vitest";
import type { SimulatedPeer } from "../../../../ts/native/simulated/net.ts";
import { Bench, json, request, withBody } from "../bench.ts";
import { readResponses, statuses } from "../responses.ts";

test("a connection with Connection: close on a refused request ends after its answer", () => {
  const bench = new Bench();
  const peer = bench.send(withBody("PUT", "/zqx", "{}", "Connection: close\r\n") + request("DELETE", "/led"));
  expect(statuses(peer.received)).toEqual([404]);
  expect(peer.closed).toBe(true);
  expect(bench.led.calls).toEqual([]);
});

describe("pipelined requests", () => {
  test("wait for one another, whichever nouns they are for, and are answered in order", async () => {
    const bench = new Bench();
    const peer = bench.send(request("GET", "/slow") + request("GET", "/slower") + request("GET", "/led"));
    expect([bench.slow.verbs, bench.slower.verbs, bench.led.calls]).toEqual([["GET"], [], []]);
    await bench.slow.answer(0, { a: 1 });
    expect([bench.slower.verbs, bench.led.calls]).toEqual([["GET"], []]);
    await bench.slower.answer(0, { b: 2 });
    expect(readResponses(peer.received).map(({ content }) => content)).toEqual(['{"a":1}', '{"b":2}', '{"led":0}']);
  });

  test("are answered in order when a later one is refused", async () => {
    const bench = new Bench();
    const peer = bench.send(`${request("GET", "/slow") + request("GET", "/zqx")}x y z\r\n`);
    expect(peer.received).toBe("");
    expect(peer.closed).toBe(false);
    await bench.slow.answer(0, {});
    expect(statuses(peer.received)).toEqual([200, 404, 400]);
    expect(peer.closed).toBe(true);
  });

  test("behind one that waits for its noun are not read beyond what has come", async () => {
    const bench = new Bench();
    const peer = bench.send(request("GET", "/slow"));
    expect(peer.beingRead).toBe(true);
    peer.send(request("DELETE", "/led").slice(0, 9));
    expect(peer.beingRead).toBe(false);
    peer.send(request("DELETE", "/led").slice(9) + request("GET", "/led"));
    await bench.slow.answer(0, {});
    expect(peer.beingRead).toBe(true);
    peer.deliver();
    expect(statuses(peer.received)).toEqual([200, 200, 200]);
    expect(bench.led.calls).toEqual(["DELETE", "GET"]);
  });

  test("of a client that is gone before their turn are not performed", async () => {
    const bench = new Bench();
    const peer = bench.send(request("GET", "/slow") + request("DELETE", "/led"));
    peer.reset();
    await bench.slow.answer(0, {});
    expect(bench.led.calls).toEqual([]);
    expect(bench.timers).toBe(0);
  });

  test("have the time for a head and a body from their turn on", async () => {
    const bench = new Bench({ nounTimeout: 60_000 });
    const peer = bench.send(request("GET", "/slow") + request("PUT", "/led", `${json}Content-Length: 9\r\n`));
    bench.clock.advance(30_000);
    await bench.slow.answer(0, {});
    bench.clock.advance(9_000);
    peer.send('{"led":1}');
    expect(statuses(peer.received)).toEqual([200, 200]);
  });

  test("are all served however many come with one FIN", () => {
    const bench = new Bench();
    const peer = bench.connect();
    peer.setRoom(10);
    peer.send(request("GET", "/led").repeat(100));
    peer.end();
    expect(peer.beingRead).toBe(false);
    for (let round = 0; round < 100; round++) peer.setRoom(500);
    peer.setRoom(Number.POSITIVE_INFINITY);
    expect(statuses(peer.received)).toHaveLength(100);
    expect(peer.released).toBe(true);
  });
});

describe("back-pressure", () => {
  test("pauses reading while an answer is not taken", () => {
    const bench = new Bench();
    const peer = bench.connect();
    peer.setRoom(10);
    peer.send(request("GET", "/led"));
    expect(peer.beingRead).toBe(false);
    peer.send(request("DELETE", "/led"));
    expect(bench.led.calls).toEqual(["GET"]);
    peer.setRoom(Number.POSITIVE_INFINITY);
    expect(bench.led.calls).toEqual(["GET", "DELETE"]);
    expect(statuses(peer.received)).toEqual([200, 200]);
  });

  test("of one peer does not delay another", () => {
    const bench = new Bench();
    const stuck = bench.connect();
    stuck.setRoom(0);
    stuck.send(request("GET", "/led"));
    expect(statuses(bench.answer(request("GET", "/led")))).toEqual([200]);
  });

  test("does not cut the last answer short", () => {
    const bench = new Bench();
    const peer = bench.connect();
    peer.setRoom(10);
    peer.send(request("GET", "/led", "Connection: close\r\n"));
    expect(peer.closed).toBe(false);
    peer.setRoom(Number.POSITIVE_INFINITY);
    expect(statuses(peer.received)).toEqual([200]);
    expect(peer.closed).toBe(true);
  });
});

describe("operations on one noun", () => {
  test("run one after the other, in the order the requests came, over all connections", async () => {
    const bench = new Bench();
    const first = bench.send(withBody("PUT", "/slow", '{"a":1}') + withBody("POST", "/slow", '{"b":1}'));
    const second = bench.send(request("DELETE", "/slow") + request("GET", "/slow"));
    // Each connection has one operation in the queue: the next one comes behind that of the other.
    const verbs = ['PUT {"a":1}', "DELETE", 'POST {"b":1}', "GET"];
    for (let index = 0; index < verbs.length; index++) {
      expect(bench.slow.verbs).toEqual(verbs.slice(0, index + 1));
      await bench.slow.answer(index, { index });
    }
    const contents = (peer: SimulatedPeer) => readResponses(peer.received).map(({ content }) => content);
    expect([contents(first), contents(second)]).toEqual([
      ['{"index":0}', '{"index":2}'],
      ['{"index":1}', '{"index":3}'],
    ]);
  });

  test("wait for nothing on another noun", async () => {
    const bench = new Bench();
    bench.send(request("GET", "/slow"));
    const peer = bench.send(request("GET", "/slower"));
    await bench.slower.answer(0, {});
    expect(statuses(peer.received)).toEqual([200]);
  });

  test("that is registered under two names still run one after the other", async () => {
    const bench = new Bench();
    bench.server.register("alias", bench.slow);
    bench.send(request("GET", "/slow") + request("DELETE", "/alias"));
    expect(bench.slow.verbs).toEqual(["GET"]);
    await bench.slow.answer(0, {});
    expect(bench.slow.verbs).toEqual(["GET", "DELETE"]);
  });

  test("that is registered again while it works still run one after the other", async () => {
    const bench = new Bench();
    bench.send(request("GET", "/slow"));
    bench.server.unregister("slow");
    bench.server.register("slow", bench.slow);
    bench.send(request("DELETE", "/slow"));
    expect(bench.slow.verbs).toEqual(["GET"]);
    await bench.slow.answer(0, {});
    expect(bench.slow.verbs).toEqual(["GET", "DELETE"]);
  });
});

describe("a peer that sends FIN", () => {
  test("is answered what it has asked", async () => {
    const bench = new Bench();
    const peer = bench.send(request("GET", "/slow") + request("GET", "/led"));
    peer.end();
    expect(peer.closed).toBe(false);
    await bench.slow.answer(0, {});
    peer.deliver();
    expect(statuses(peer.received)).toEqual([200, 200]);
    expect(peer.released).toBe(true);
  });

  test.each([
    ["nothing", ""],
    ["half a head", "DELETE /led HTTP/1.1\r\nHost: a\r\n"],
    ["half a body", `${request("PUT", "/led", `${json}Content-Length: 9\r\n`)}{"led":1`],
    ["half a body that is skipped", `${request("PUT", "/zqx", `${json}Content-Length: 9\r\n`)}1`],
  ])("after %s is closed, and no half of a request is executed", (_name, bytes) => {
    const bench = new Bench();
    const peer = bench.send(bytes);
    peer.end();
    expect(peer.released).toBe(true);
    expect(bench.led.calls).toEqual([]);
    expect(bench.timers).toBe(0);
  });

  test("within a body has not sent a request by it, whatever the body looks like", async () => {
    const bench = new Bench();
    const hidden = request("DELETE", "/led");
    const peer = bench.send(
      request("GET", "/slow") + request("PUT", "/led", `${json}Content-Length: ${hidden.length + 1}\r\n`) + hidden,
    );
    peer.end();
    await bench.slow.answer(0, {});
    peer.deliver();
    expect(bench.led.calls).toEqual([]);
    expect(statuses(peer.received)).toEqual([200]);
    expect(peer.released).toBe(true);
  });
});

test("a peer that vanishes leaves nothing behind", async () => {
  const bench = new Bench();
  const peer = bench.send(request("GET", "/slow") + request("PUT", "/slow", `${json}Content-Length: 9\r\n`));
  peer.reset();
  await bench.slow.answer(0, {});
  expect(bench.slow.verbs).toEqual(["GET"]);
  expect(bench.timers).toBe(0);
  expect(peer.received).toBe("");
});

describe("requests that take longer than a turn of the loop", () => {
  const get = request("GET", "/led");

  test("are served one in each turn, so that others have theirs in between, and no more is read meanwhile", () => {
    const bench = new Bench();
    bench.clock.turnTime = () => 2;
    const peer = bench.send(get.repeat(1_000));
    expect(bench.led.calls).toHaveLength(1);
    expect(peer.beingRead).toBe(false);
    expect(statuses(bench.answer(request("GET", "/other")))).toEqual([200]);
    bench.clock.advance(0);
    expect(bench.led.calls).toHaveLength(1_000);
    expect(peer.beingRead).toBe(true);
    expect(statuses(peer.received)).toHaveLength(1_000);
  });
});
