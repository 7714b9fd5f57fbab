/** Questions to the connector: one to a target, eight in all, who was reached last time first, each within its time. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedConnector } from "../../../ts/native/simulated/connector.ts";
import { connectedPair } from "../../../ts/native/simulated/net.ts";
import { Dialer } from "../../../ts/parts/client/dialer.ts";

class Bench {
  readonly clock = new SimulatedClock();
  readonly connector = new SimulatedConnector();
  readonly dialer = new Dialer(this.clock, this.connector);
  /** What came of the questions, in order: their names, and the reasons. */
  readonly outcomes: string[] = [];

  constructor(targets = 32) {
    this.connector.start(
      Array.from({ length: targets }, (_, target) => `192.0.2.${target}:80`),
      () => undefined,
    );
  }

  ask(name: string, target: number, time = 4_000): void {
    this.dialer.connect(target, time, (socket, reason) => {
      this.outcomes.push(`${name}: ${reason || "connected"}`);
      socket?.close();
    });
  }
}

test("questions to one target are asked one after the other, each with the time that is left", () => {
  const bench = new Bench();
  bench.ask("first", 0);
  bench.ask("second", 0);
  bench.clock.advance(1_000);
  expect(bench.connector.questions).toMatchObject([{ target: 0, time: 4_000 }]);
  bench.connector.accept();
  expect(bench.connector.questions).toMatchObject([{ target: 0, time: 3_000 }]);
  bench.connector.refuse("Connection refused");
  expect(bench.outcomes).toEqual(["first: connected", "second: Connection refused"]);
});

test("a question whose time is over while another is under way is not asked", () => {
  const bench = new Bench();
  bench.ask("first", 0);
  bench.ask("second", 0);
  bench.clock.advance(4_000);
  bench.connector.refuse("Operation timed out");
  expect(bench.outcomes).toEqual(["first: Operation timed out", "second: earlier connections took too long"]);
  expect(bench.connector.questions).toEqual([]);
});

test("six targets that hang make a seventh wait, and no longer", () => {
  const bench = new Bench();
  for (let target = 0; target < 7; target++) bench.ask(`${target}`, target);
  expect(bench.connector.questions.map(({ target }) => target)).toEqual([0, 1, 2, 3, 4, 5]);
  bench.connector.refuse("Operation timed out");
  expect(bench.connector.questions.map(({ target }) => target)).toEqual([1, 2, 3, 4, 5, 6]);
});

test("targets that hang take half of the places once they have hung, and the others are kept for the rest", () => {
  const bench = new Bench();
  const hung = Array.from({ length: 9 }, (_, target) => target);
  for (const target of hung) bench.ask(`hung ${target}`, target);
  for (const _ of hung) bench.connector.refuse("Operation timed out");
  for (const target of hung) bench.ask(`hung ${target}`, target);
  bench.ask("healthy", 20);
  bench.ask("mirror", 21);
  expect(bench.connector.questions.map(({ target }) => target)).toEqual([0, 1, 2, 3, 20, 21]);
  // One that answers again has a place as any other.
  bench.connector.accept();
  bench.ask("back", 0);
  expect(bench.connector.questions.map(({ target }) => target)).toEqual([1, 2, 3, 20, 21, 4, 0]);
});

/** Targets below 9 hang, and each is asked for again and again. @returns ms that each of four others has waited. */
function waitsBesideNine(isKnown: boolean): readonly number[] {
  const clock = new SimulatedClock();
  const waits: number[] = [];
  const dialer = new Dialer(clock, {
    connect(target, time, done) {
      const [socket] = connectedPair("");
      clock.setTimer(
        () => (target < 9 ? done(undefined, "Operation timed out") : done(socket, "")),
        target < 9 ? time : 0,
      );
    },
  });
  const send = (target: number) =>
    dialer.connect(target, 5_000, () => void clock.setTimer(() => send(target), 100 + target));
  const follow = (target: number) => {
    const began = clock.now();
    dialer.connect(target, 10_000, () => {
      waits.push(clock.now() - began);
      clock.setTimer(() => follow(target), 3_000);
    });
  };
  const begins = [() => [20, 21, 22, 23].forEach(follow), () => Array.from({ length: 9 }, (_, target) => send(target))];
  for (const begin of isKnown ? begins : begins.toReversed()) {
    begin();
    clock.advance(1_000);
  }
  clock.advance(600_000);
  return waits;
}

test("nine webhooks that hang delay no mirror that was reached before, and a new one once", () => {
  expect(Math.max(...waitsBesideNine(true))).toBe(0);
  const waits = waitsBesideNine(false);
  expect(waits.filter((time) => time > 0).length).toBeLessThanOrEqual(4);
  expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
});

test("a connector that has ended is told to each asker, also to one that asks again at once", () => {
  const bench = new Bench();
  bench.dialer.connect(0, 4_000, () => bench.ask("again", 0));
  bench.ask("waiting", 0);
  bench.connector.die();
  bench.ask("late", 1);
  bench.clock.advance(0);
  expect(bench.outcomes.toSorted()).toEqual(
    ["again", "late", "waiting"].map((name) => `${name}: the connector has ended`),
  );
});

test("each question gets one outcome, whatever is answered when", () => {
  const step = fc.oneof(
    fc.record({ target: fc.nat(10), time: fc.integer({ min: 1, max: 4_000 }) }),
    fc.constantFrom("accept", "refuse"),
    fc.nat(2_000),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const bench = new Bench();
      let asked = 0;
      for (const one of steps) {
        if (typeof one === "number") bench.clock.advance(one);
        else if (typeof one === "object") bench.ask(`${asked++}`, one.target, one.time);
        else if (bench.connector.questions.length > 0) {
          if (one === "accept") bench.connector.accept();
          else bench.connector.refuse("no");
        }
      }
      while (bench.connector.questions.length > 0) bench.connector.refuse("no");
      expect(bench.outcomes.map((outcome) => Number.parseInt(outcome, 10)).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: asked }, (_, index) => index),
      );
    }),
  );
});
