import { describe, expect, test } from "vitest";
import { TestClient, TestNoun, World } from "../feeds/world.ts";

function makeWorld(...names: readonly string[]) {
  const world = new World();
  const nouns = names.map((name) => world.register(new TestNoun(name)));
  return { world, clock: world.clock, nouns };
}

const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => Number(id.split("-")[1]));

describe("a client that falls behind", () => {
  test("gets the latest state once it takes bytes again, and never a backlog", () => {
    const { world, clock, nouns } = makeWorld("led");
    const { socket } = world.watch("led");
    socket.takes = false;
    for (let n = 1; n <= 100; n++) {
      nouns[0]?.become({ n });
      clock.advance(20);
    }
    expect(socket.unsent).toBeLessThan(100);
    socket.resume();
    expect(socket.data).toEqual([{ n: 0 }, { n: 1 }, { n: 100 }]);
  });

  test("gets each of all nouns that changed once, the one that changed last at the end", () => {
    const { world, clock, nouns } = makeWorld("a", "b", "c");
    const { socket } = world.watch();
    clock.advance(100);
    socket.takes = false;
    for (const [index, n] of [
      [0, 1],
      [1, 2],
      [2, 3],
      [0, 4],
      [1, 5],
      [0, 6],
    ] as const) {
      nouns[index]?.become({ n });
      clock.advance(20);
    }
    socket.resume();
    expect(socket.data.slice(1)).toEqual([{ a: { n: 1 } }, { c: { n: 3 } }, { b: { n: 5 } }, { a: { n: 6 } }]);
    expect(idsOf(socket.events)).toEqual(idsOf(socket.events).toSorted((a, b) => a - b));
  });

  test("goes on from where it stopped again in the midst of catching up", () => {
    const { world, clock, nouns } = makeWorld("a", "b", "c");
    const { socket } = world.watch();
    clock.advance(100);
    socket.takes = false;
    for (const noun of nouns) {
      noun.become({ n: 1 });
      clock.advance(20);
    }
    for (let i = 0; i < 3; i++) {
      socket.resume(false);
      expect(socket.data.length).toBe(2 + i);
    }
    socket.resume();
    expect(socket.data.slice(1)).toEqual([{ a: { n: 1 } }, { b: { n: 1 } }, { c: { n: 1 } }]);
  });
});

test("the gap between two ids does not count the events of nouns that a client may not read", () => {
  const gap = (others: number): number => {
    const { world, clock, nouns } = makeWorld("led", "secret");
    const { socket } = world.watch("led");
    world.watch("secret");
    clock.advance(1_000);
    nouns[0]?.become({ n: 1 });
    for (let n = 1; n <= 100; n++) {
      if (n <= others) nouns[1]?.become({ n });
      clock.advance(100);
    }
    nouns[0]?.become({ n: 2 });
    clock.advance(1_000);
    const [, before = 0, after = 0] = idsOf(socket.events);
    return after - before;
  };
  const [quiet, busy] = [gap(0), gap(100)];
  expect(quiet).toBeGreaterThan(0);
  // An event of another noun in the same ms may add some.
  expect(Math.abs(busy - quiet)).toBeLessThanOrEqual(40);
});

test("events are written to all who watch the same at once, and waited for where something waits", () => {
  const { world, clock, nouns } = makeWorld("led");
  const clients = Array.from({ length: 100 }, () => world.watch("led"));
  const [slow, gone] = clients;
  world.watch();
  world.watch();
  clock.advance(100);
  for (let n = 1; n <= 3; n++) {
    if (n === 2) {
      if (slow !== undefined) slow.socket.takes = false;
      gone?.leave();
    }
    nouns[0]?.become({ n });
    clock.advance(100);
  }
  expect(world.texts.length).toBe(6);
  slow?.socket.resume();
  expect(clients.map(({ socket }) => socket.data.length)).toEqual([4, 2, ...Array.from({ length: 98 }, () => 4)]);
  expect(slow?.socket.data.at(-1)).toEqual({ n: 3 });
});

test("streams end where there is no memory to tell them of an event, and those of other nouns go on", () => {
  const { world, clock, nouns } = makeWorld("led", "door");
  const broken = [world.watch("led"), world.watch("led")];
  const whole = world.watch("door");
  clock.advance(100);
  world.failure = new Error("out of memory");
  nouns[0]?.become({ n: 1 });
  clock.advance(100);
  nouns[1]?.become({ n: 1 });
  clock.advance(100);
  expect(broken.map(({ isOpen }) => isOpen)).toEqual([false, false]);
  expect(whole.socket.data).toEqual([{ n: 0 }, { n: 1 }]);
  expect(world.streams.size).toBe(1);
  expect(nouns[0]?.listeners).toBe(0);
});

test("a stream whose first event finds no memory leaves nothing behind", () => {
  const { world, clock, nouns } = makeWorld("led");
  const [led] = nouns as [TestNoun];
  led.isSlow = true;
  const client = world.watch("led");
  client.socket.write = () => {
    throw new Error("out of memory");
  };
  led.answer();
  expect(client.socket.isClosed).toBe(true);
  expect([world.streams.size, led.listeners]).toEqual([0, 0]);
  world.streams.close();
  clock.advance(60_000);
  expect([led.reads, clock.running]).toEqual([1, 0]);
});

test("a request whose noun goes before it is read gets 404, and one whose noun fails gets its refusal", () => {
  const { world, clock, nouns } = makeWorld("led", "broken");
  const [led, broken] = nouns as [TestNoun, TestNoun];
  broken.hasFailed = true;
  led.isSlow = true;
  const clients = [world.watch("led"), world.watch("broken")];
  world.unregister("led");
  clock.advance(0);
  expect(clients.map(({ refusal }) => refusal?.status)).toEqual([404, 500]);
  expect(nouns.map(({ listeners }) => listeners)).toEqual([0, 0]);
});

test("a client that goes before its stream begins is not followed for", () => {
  const { world, clock, nouns } = makeWorld("a", "b");
  const [a, b] = nouns as [TestNoun, TestNoun];
  b.isSlow = true;
  const client = world.watch();
  expect([a.listeners, b.listeners, b.underway]).toEqual([1, 1, 1]);
  client.leave();
  expect([a.listeners, b.listeners, b.underway, clock.running]).toEqual([0, 0, 0, 0]);
});

describe("a stream whose answer has to wait for another one", () => {
  test("begins with what its nouns are when it opens", () => {
    const { world, clock, nouns } = makeWorld("a", "b");
    const client = new TestClient();
    client.waits = true;
    world.watch(undefined, client);
    nouns[0]?.become({ n: 1 });
    clock.advance(100);
    client.open();
    clock.advance(100);
    expect(client.socket.data).toEqual([{ a: { n: 1 }, b: { n: 0 } }]);
  });

  test("ends at once if a noun has come meanwhile", () => {
    const { world, nouns } = makeWorld("a");
    const client = new TestClient();
    client.waits = true;
    world.watch(undefined, client);
    world.register(new TestNoun("b"));
    client.open();
    expect([client.socket.data.length, client.isOpen, nouns[0]?.listeners]).toEqual([1, false, 0]);
  });

  test("follows nothing any more when its client has gone", () => {
    const { world, clock, nouns } = makeWorld("a");
    const client = new TestClient();
    client.waits = true;
    world.watch("a", client).leave();
    expect([nouns[0]?.listeners, world.streams.size, clock.running]).toEqual([0, 0, 0]);
  });
});
