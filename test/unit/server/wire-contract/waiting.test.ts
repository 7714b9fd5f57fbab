/**
 * Requests that wait for nouns never take all places: a quarter of them waits for one noun, half of them for all nouns.
 */
import { describe, expect, test } from "vitest";
import type { SimulatedPeer } from "../../../../ts/native/simulated/net.ts";
import { Bench, request } from "../bench.ts";
import { DeferredNoun } from "../recording-noun.ts";
import { expectProblem, jsonOf, readResponse, readResponses, statuses } from "../responses.ts";

const ask = (bench: Bench, target: string) => bench.send(request("GET", target));

/** @returns so many clients, each with a request for the noun; those of several nouns take turns. */
function crowd(bench: Bench, count: number, ...targets: readonly string[]): SimulatedPeer[] {
  return Array.from({ length: count }, (_, index) => ask(bench, targets[index % targets.length] as string));
}

/** @returns those that wait for their answers. */
function waiting(peers: readonly SimulatedPeer[]): readonly SimulatedPeer[] {
  return peers.filter((peer) => !peer.released && peer.received === "");
}

test("140 clients of two slow nouns keep nobody out: half of the places are others'", () => {
  const bench = new Bench();
  const quiet = crowd(bench, 140, "/slow", "/slower");
  expect(waiting(quiet)).toHaveLength(64);
  for (let count = 0; count < 100; count++) expect(statuses(ask(bench, "/led").received)).toEqual([200]);
  expect(waiting(quiet)).toHaveLength(64);
});

test("a quarter of the places wait for one noun behind its operation; one more gets 503 at once", () => {
  const bench = new Bench();
  const peers = crowd(bench, 34, "/slow");
  expect(waiting(peers)).toEqual(peers.slice(0, 33));
  const refused = peers[33] as SimulatedPeer;
  const refusal = readResponse(refused.take());
  expectProblem(refusal, 503);
  expect(refusal.fields.get("retry-after")).toBe("1");
  expect(refusal.fields.get("connection")).toBeUndefined();
  refused.send(request("GET", "/led"));
  expect(statuses(refused.received)).toEqual([200]);
});

test("a client that was refused is closed for a newcomer", () => {
  const bench = new Bench({ maxConnections: 4 });
  const waits = crowd(bench, 2, "/slow");
  const refused = crowd(bench, 2, "/slow");
  expect(refused.map(({ received }) => received.slice(9, 12))).toEqual(["503", "503"]);
  for (let count = 0; count < 2; count++) expect(statuses(ask(bench, "/led").received)).toEqual([200]);
  expect(refused.map(({ released }) => released)).toEqual([true, true]);
  expect(waiting(waits)).toEqual(waits);
});

describe("of few places", () => {
  // The clients of two slow nouns that may wait, and how many of them wait for the first one.
  test.each([
    [1, 1, 1],
    [2, 2, 1],
    [3, 2, 1],
    [4, 3, 2],
    [5, 3, 2],
    [8, 4, 3],
  ])("%i, %i clients wait for two slow nouns", (maxConnections, both, first) => {
    const bench = new Bench({ maxConnections });
    const firstCrowd = crowd(bench, 10, "/slow");
    expect(waiting(firstCrowd)).toHaveLength(first);
    const secondCrowd = crowd(bench, 10, "/slower");
    expect(waiting([...firstCrowd, ...secondCrowd])).toHaveLength(both);
    // A noun that is idle begins anyway. So only two places or fewer can be taken by two nouns.
    expect(readResponse(ask(bench, "/led").received).status).toBe(maxConnections > 2 ? 200 : 503);
  });

  test("one client may pipeline as many requests as it likes: each begins after the answer before it", async () => {
    const bench = new Bench({ maxConnections: 1 });
    const peer = bench.send(request("GET", "/slow").repeat(3));
    for (let turn = 0; turn < 3; turn++) await bench.slow.answer(turn, { turn });
    expect(readResponses(peer.received).map(jsonOf)).toEqual([0, 1, 2].map((turn) => ({ turn })));
  });
});

test("a noun that is idle begins an operation, however many clients wait for others", async () => {
  const bench = new Bench({ maxConnections: 8 });
  crowd(bench, 10, "/slow", "/slower");
  const idle = new DeferredNoun();
  bench.server.register("idle", idle);
  const peer = ask(bench, "/idle");
  await idle.answer(0, { idle: true });
  expect(jsonOf(readResponse(peer.received))).toEqual({ idle: true });
});

describe("a place in the queue is free again", () => {
  const full = () => {
    const bench = new Bench({ maxConnections: 4, nounTimeout: 1_000 });
    const waits = crowd(bench, 2, "/slow");
    expect(statuses(ask(bench, "/slow").received)).toEqual([503]);
    return { bench, waits };
  };

  test("after an answer", async () => {
    const { bench } = full();
    await bench.slow.answer(0, {});
    expect(waiting(crowd(bench, 2, "/slow"))).toHaveLength(1);
  });

  test("after nounTimeout", () => {
    const { bench } = full();
    bench.clock.advance(1_000);
    expect(waiting(crowd(bench, 2, "/slow"))).toHaveLength(1);
  });

  test("once a client of a waiting operation has gone", () => {
    const { bench, waits } = full();
    waits[1]?.reset();
    expect(waiting(crowd(bench, 2, "/slow"))).toHaveLength(1);
  });

  test("once a client of an operation that is under way has gone", () => {
    const bench = new Bench({ maxConnections: 4 });
    const [first] = crowd(bench, 2, "/slow", "/slower");
    expect(statuses(ask(bench, "/slower").received)).toEqual([503]);
    first?.reset();
    expect(waiting(crowd(bench, 2, "/slower"))).toHaveLength(1);
  });
});

test("a request for all nouns waits as one client, however many of them are slow", async () => {
  const bench = new Bench({ maxConnections: 4 });
  const slowest = new DeferredNoun();
  bench.server.register("slowest", slowest);
  const peers = [ask(bench, "/"), ask(bench, "/")];
  for (const turn of [0, 1]) {
    for (const noun of [bench.slow, bench.slower, slowest]) await noun.answer(turn, { turn });
  }
  const states = peers.map((peer) => jsonOf(readResponse(peer.received)));
  expect(states).toMatchObject([0, 1].map((turn) => ({ slow: { turn }, slower: { turn }, slowest: { turn } })));
});

test("a noun that is watched is read for its stream, however many clients wait for it", async () => {
  const bench = new Bench({ maxConnections: 4 });
  const stream = bench.send(request("GET", "/slow", "Accept: text/event-stream\r\n"));
  await bench.slow.answer(0, { n: 0 });
  crowd(bench, 3, "/slow");
  bench.clock.advance(1_000);
  await bench.slow.answer(1, {});
  await bench.slow.answer(2, {});
  await bench.slow.answer(3, { n: 1 });
  bench.clock.advance(0);
  expect(stream.received.match(/^data: .*$/gm)).toEqual(['data: {"n":0}', 'data: {"n":1}']);
});
