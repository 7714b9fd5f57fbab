/** What holds for every connection, whatever a peer sends: properties over streams of requests and random events. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { SimulatedPeer } from "../../../ts/native/simulated/net.ts";
import { cuts, requestStreams, slices } from "../http/request-streams.ts";
import { Bench } from "./bench.ts";
import { promisesKept } from "./recording-noun.ts";

const answerHead = /^HTTP\/1\.1 ([1-5]\d\d) [A-Z][A-Za-z ]+\r\n((?:[A-Z][A-Za-z-]*: [\x21-\x7e][\x20-\x7e]*\r\n)*)\r\n/;

/**
 * Expects a row of answers and nothing else. It is not known which of them a HEAD has led to: behind a head there is
 * its body, or the next answer.
 * @param mayBeCut whether the last one may be cut short, because the peer vanished or did not take it in time.
 */
function expectAnswers(bytes: string, mayBeCut: boolean): void {
  for (let rest = bytes; rest !== ""; ) {
    const [head, status, fields] = answerHead.exec(rest) ?? [];
    if (head === undefined) {
      if (mayBeCut && !rest.includes("\r\n\r\n") && "HTTP/1.1 ".startsWith(rest.slice(0, 9))) return;
      throw new Error(`No answer begins with ${JSON.stringify(rest.slice(0, 80))}`);
    }
    rest = rest.slice(head.length);
    const length = /^Content-Length: (\d+)\r$/m.exec(fields ?? "")?.[1];
    expect(length === undefined).toBe(status === "100" || status === "204");
    if (length === undefined || !rest.startsWith("{")) continue;
    const body = rest.slice(0, Number(length));
    rest = rest.slice(body.length);
    if (mayBeCut && rest === "" && body.length < Number(length)) return;
    expect(typeof JSON.parse(Buffer.from(body, "latin1").toString())).toBe("object");
  }
}

const limits = { targetBytes: 14, headerBytes: 120, headerFields: 6, bodyBytes: 60 };

/** Lets the deferred nouns answer until there is nothing to answer. */
async function answerAll(bench: Bench, peers: readonly SimulatedPeer[]): Promise<void> {
  for (let answered = 0; ; ) {
    for (const peer of peers) peer.deliver();
    const begun = bench.slow.begun.length;
    if (answered === begun) return;
    for (; answered < begun; answered++) await bench.slow.answer(answered, { answered });
    await promisesKept();
  }
}

test("the answers and the operations are the same however a stream is cut", async () => {
  await fc.assert(
    fc.asyncProperty(requestStreams, cuts, async (stream, where) => {
      const outcomes: unknown[] = [];
      for (const pieces of [[stream], slices(stream, where)]) {
        const bench = new Bench(limits);
        const peer = bench.connect();
        for (const piece of pieces) peer.send(piece);
        await answerAll(bench, [peer]);
        const { received, closed } = peer;
        outcomes.push({ received, closed, led: bench.led.calls, slow: bench.slow.verbs });
      }
      expect(outcomes[1]).toEqual(outcomes[0]);
    }),
    { numRuns: 400 },
  );
});

const peerNumber = fc.nat(3);
const event = fc.oneof(
  { weight: 6, arbitrary: fc.record({ peer: peerNumber, stream: requestStreams, where: cuts }) },
  { weight: 2, arbitrary: fc.record({ peer: peerNumber, bytes: fc.uint8Array({ maxLength: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ peer: peerNumber, room: fc.constantFrom(0, 1, 50, 1_000, Infinity) }) },
  { weight: 2, arbitrary: fc.record({ pass: fc.constantFrom(1, 100, 3_000, 11_000) }) },
  { weight: 1, arbitrary: fc.record({ answer: fc.nat(5), state: fc.constantFrom({ a: 1 }, undefined) }) },
  { weight: 1, arbitrary: fc.record({ peer: peerNumber, end: fc.constant(true) }) },
  { weight: 1, arbitrary: fc.record({ peer: peerNumber, reset: fc.constant(true) }) },
);

async function happen(
  bench: Bench,
  peers: SimulatedPeer[],
  now: typeof event extends fc.Arbitrary<infer E> ? E : never,
) {
  if ("pass" in now) return bench.clock.advance(now.pass);
  if ("answer" in now) return bench.slow.begun[now.answer]?.answer(now.state);
  peers[now.peer] ??= bench.connect();
  const peer = peers[now.peer] as SimulatedPeer;
  if ("stream" in now) for (const piece of slices(now.stream, now.where)) peer.send(piece);
  else if ("bytes" in now) peer.send(Buffer.from(now.bytes).toString("latin1"));
  else if ("room" in now) peer.setRoom(now.room);
  else if ("end" in now) peer.end();
  else peer.reset();
}

test("whatever peers do, they are sent nothing but answers, and nothing of them is kept", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), fc.boolean(), async (events, closing) => {
      const bench = new Bench({ ...limits, maxConnections: 3 });
      const peers: SimulatedPeer[] = [];
      for (const now of events) {
        await happen(bench, peers, now);
        for (const peer of peers) peer?.deliver();
      }
      const connected = peers.filter((peer) => peer !== undefined);
      let closed = false;
      if (closing) {
        void bench.server.close().then(() => {
          closed = true;
        });
      }
      for (const peer of connected) if (!peer.released) peer.setRoom(Number.POSITIVE_INFINITY);
      await answerAll(bench, connected);
      bench.clock.advance(200_000);
      await answerAll(bench, connected);

      for (const peer of connected) {
        expect(peer.released).toBe(true);
        expectAnswers(peer.received, closing || events.some((now) => "reset" in now || "room" in now));
      }
      expect(closed).toBe(closing);
      expect(bench.timers).toBe(0);
    }),
    { numRuns: 300 },
  );
});
