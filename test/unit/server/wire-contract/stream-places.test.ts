/** Places of streams, where all are taken: each address keeps a share, and nobody else's. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SimulatedPeer } from "../../../../ts/native/simulated/net.ts";
import { streamsKey } from "../../../../ts/parts/streams/part.ts";
import { Bench, request } from "../bench.ts";

const bytes = request("GET", "/led", "Accept: text/event-stream\r\n");
const lastComment = ": another client needs this place\n";

/** Opens streams of addresses, one after the other. */
function open(bench: Bench, ...addresses: readonly string[]): SimulatedPeer[] {
  return addresses.map((from) => bench.send(bytes, from));
}

const status = (peer: SimulatedPeer | undefined) => peer?.received.slice(9, 12);
const areLive = (peers: readonly SimulatedPeer[]) => peers.map((peer) => status(peer) === "200" && !peer.closed);

const attacker = "192.0.2.66";
const [hall, attic, shed] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];

describe("while one address has all places", () => {
  test("one more of its own gets 503, as nobody else wants a place", () => {
    const bench = new Bench({ maxStreams: 3 });
    const peers = open(bench, attacker, attacker, attacker, attacker);
    expect(peers.map(status)).toEqual(["200", "200", "200", "503"]);
    expect(areLive(peers)).toEqual([true, true, true, false]);
  });

  test("a client of another address gets the place of its oldest stream, which ends with a comment", () => {
    const bench = new Bench({ maxStreams: 3 });
    const peers = open(bench, attacker, attacker, attacker, hall);
    expect(areLive(peers)).toEqual([false, true, true, true]);
    expect(peers[0]?.received.endsWith(`data: {"led":0}\n\n${lastComment}`)).toBe(true);
    expect(peers[0]?.released).toBe(true);
    expect(peers[3]?.received.endsWith('data: {"led":0}\n\n')).toBe(true);
  });

  test("a client that takes nothing loses its place as well", () => {
    const bench = new Bench({ maxStreams: 2 });
    const [stopped, ...others] = open(bench, attacker, attacker);
    stopped?.setRoom(0);
    bench.clock.advance(15_000);
    expect(areLive(open(bench, hall))).toEqual([true]);
    expect(stopped?.released).toBe(true);
    expect(areLive(others)).toEqual([true]);
  });
});

test("an address that has its share ends its own oldest stream by one more", () => {
  const bench = new Bench({ maxStreams: 4 });
  const honest = open(bench, hall, attic);
  const flood = open(bench, ...Array.from({ length: 40 }, () => attacker));
  expect(areLive(honest)).toEqual([true, true]);
  expect(areLive(flood)).toEqual([...Array.from({ length: 38 }, () => false), true, true]);
});

test("where each address has one stream, one more of a further address gets 503", () => {
  const bench = new Bench({ maxStreams: 2 });
  const peers = open(bench, hall, attic, shed);
  expect(peers.map(status)).toEqual(["200", "200", "503"]);
  expect(areLive(peers)).toEqual([true, true, false]);
});

test.each([
  ["all clients of a Unix socket are one address", ["unix:", "unix:", hall]],
  ["all addresses of a network of 64 bits are one", ["[2001:db8::1]", "[2001:db8::2]", hall]],
])("%s", (_what, addresses) => {
  expect(areLive(open(new Bench({ maxStreams: 2 }), ...addresses))).toEqual([false, true, true]);
});

test("whichever address asks, all places are used, and nobody loses a stream of his share to another address", () => {
  const addresses = [hall, attic, shed, attacker];
  const steps = fc.array(fc.record({ from: fc.constantFrom(...addresses), leaves: fc.boolean() }), { maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), steps, (maxStreams, taken) => {
      const bench = new Bench({ maxStreams });
      const live: { readonly from: string; readonly peer: SimulatedPeer }[] = [];
      const count = (from: string) => live.filter((one) => one.from === from).length;
      for (const { from, leaves } of taken) {
        if (leaves) {
          live.splice(0, 1)[0]?.peer.reset();
          continue;
        }
        const counts = new Map(addresses.map((address) => [address, count(address)]));
        const asking = addresses.filter((address) => address === from || count(address) > 0).length;
        const [peer] = open(bench, from) as [SimulatedPeer];
        const share = Math.floor(maxStreams / asking);
        live.push({ from, peer });
        const ended = live.filter((one) => one.peer.closed && one.peer !== peer);
        for (const one of ended) {
          const had = counts.get(one.from) ?? 0;
          // Only where all places were taken, the oldest of its address, and beyond the share unless it was the same
          // address.
          expect(live.length).toBe(maxStreams + 1);
          expect(one).toBe(live.find((other) => other.from === one.from));
          if (one.from !== from) expect(had).toBeGreaterThan(share);
        }
        expect(ended.length).toBeLessThanOrEqual(1);
        if ((counts.get(from) ?? 0) < share) expect(peer.closed).toBe(false);
        for (const one of [...live]) if (one.peer.closed) live.splice(live.indexOf(one), 1);
        expect(live.length).toBeLessThanOrEqual(maxStreams);
        expect(bench.server.parts.find(streamsKey)?.size).toBe(live.length);
      }
    }),
  );
});
