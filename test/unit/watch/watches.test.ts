import { describe, expect, test } from "vitest";
import { makeWatches, TestNoun } from "./test-stream.ts";

describe("a stream", () => {
  test("tells of each change, with the noun's name where it is of all nouns", () => {
    const { watch, watchAll, clock } = makeWatches();
    const led = new TestNoun("led");
    const own = watch(led);
    const all = watchAll([led, new TestNoun("other")]);
    clock.advance(100);
    led.become({ n: 1 });
    clock.advance(100);
    led.become({ n: 2 });
    clock.advance(100);
    expect(own.data).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
    expect(all.data).toEqual([{ led: { n: 0 }, other: { n: 0 } }, { led: { n: 1 } }, { led: { n: 2 } }]);
  });

  test("gets nothing when a noun reports a change and has not changed", () => {
    const { watch, clock } = makeWatches();
    const led = new TestNoun("led");
    const sink = watch(led);
    for (let i = 0; i < 10; i++) {
      led.tell();
      clock.advance(100);
    }
    expect(sink.data).toEqual([{ n: 0 }]);
  });

  test("gets nothing when only a key that depends on time changes", () => {
    const { watch, clock } = makeWatches();
    const shape = { edges: { type: "integer" }, since: { type: "integer", timeDependent: true } } as const;
    const door = new TestNoun("door", { state: { edges: 0, since: 5 }, shape });
    const sink = watch(door);
    door.become({ edges: 0, since: 500 });
    clock.advance(100);
    door.become({ edges: 1, since: 0 });
    clock.advance(100);
    expect(sink.data).toEqual([
      { edges: 0, since: 5 },
      { edges: 1, since: 0 },
    ]);
    // A new client gets the state as it is now.
    door.state = { edges: 1, since: 77 };
    expect(watch(door).data).toEqual([{ edges: 1, since: 77 }]);
  });

  test("has null for a noun that fails, until it recovers, and asks it each second", () => {
    const { watch, watchAll, clock } = makeWatches();
    const led = new TestNoun("led");
    const own = watch(led);
    const all = watchAll([led]);
    led.hasFailed = true;
    led.tell();
    clock.advance(100);
    led.hasFailed = false;
    const { reads } = led;
    clock.advance(899);
    expect(led.reads).toBe(reads);
    clock.advance(101);
    expect(own.data).toEqual([{ n: 0 }, null, { n: 0 }]);
    expect(all.data).toEqual([{ led: { n: 0 } }, { led: null }, { led: { n: 0 } }]);
    const after = led.reads;
    clock.advance(60_000);
    expect(led.reads).toBe(after);
  });

  test("that began with a state other than the last event's gets the next state, even one equal to that event", () => {
    const { watch, clock } = makeWatches();
    const led = new TestNoun("led", { poll: 60_000 });
    const first = watch(led);
    led.state = { n: 1 };
    const second = watch(led);
    led.state = { n: 0 };
    clock.advance(100);
    expect(second.data).toEqual([{ n: 1 }, { n: 0 }]);
    expect(first.data.at(-1)).toEqual({ n: 0 });
  });

  test("ends where there is no memory to tell it of an event, and those of other nouns go on", () => {
    const { watch, watchAll, clock, watches, broadcaster } = makeWatches();
    const [led, door] = [new TestNoun("led"), new TestNoun("door")];
    const broken = [watch(led), watch(led), watchAll([led, door])];
    const whole = watch(door);
    broadcaster.failure = new Error("out of memory");
    led.become({ n: 1 });
    clock.advance(100);
    broadcaster.failure = undefined;
    door.become({ n: 1 });
    clock.advance(100);
    expect(broken.map(({ isOver }) => isOver)).toEqual([true, true, true]);
    expect(whole.data).toEqual([{ n: 0 }, { n: 1 }]);
    expect(watches.count).toBe(1);
    expect(led.ended).toBe(1);
  });

  test("leaves nothing behind when its first event fails", () => {
    const { watch, clock, watches } = makeWatches();
    const led = new TestNoun("led");
    const sink = watch(led, new Error("out of memory"));
    expect(sink.isOver).toBe(true);
    expect(watches.count).toBe(0);
    expect([led.begun, led.ended]).toEqual([1, 1]);
    clock.advance(60_000);
    expect(led.reads).toBe(0);
  });
});

describe("a client that falls behind", () => {
  test("gets the latest state once it takes bytes again, and never a backlog", () => {
    const { watch, clock } = makeWatches();
    const led = new TestNoun("led");
    const sink = watch(led);
    sink.takes = false;
    for (let n = 1; n <= 100; n++) {
      led.become({ n });
      clock.advance(20);
    }
    expect(sink.unsent).toBeLessThan(100);
    sink.resume();
    expect(sink.data).toEqual([{ n: 0 }, { n: 1 }, { n: 100 }]);
  });

  test("gets a state that is about to be sent to all with the others, once, and with an id", () => {
    const { watch, clock } = makeWatches(10);
    const led = new TestNoun("led");
    const sink = watch(led);
    sink.takes = false;
    led.isSlow = true;
    for (let n = 1; n <= 2; n++) {
      led.become({ n });
      clock.advance(100 - (n - 1) * 50);
      clock.advance(50);
      led.answer();
    }
    led.isSlow = false;
    led.become({ n: 3 });
    clock.advance(60);
    sink.resume();
    clock.advance(200);
    expect(sink.data).toEqual([{ n: 0 }, { n: 1 }, { n: 3 }]);
    expect(sink.events.filter(({ id }) => id === "")).toEqual([]);
  });

  test("gets each of all nouns that changed once, the one that changed last at the end", () => {
    const { watchAll, clock } = makeWatches();
    const nouns = ["a", "b", "c"].map((name) => new TestNoun(name));
    const sink = watchAll(nouns);
    sink.takes = false;
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
    sink.resume();
    expect(sink.data.slice(1)).toEqual([{ a: { n: 1 } }, { c: { n: 3 } }, { b: { n: 5 } }, { a: { n: 6 } }]);
    const ids = sink.events.map(({ id }) => Number(id.split("-")[1]));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  test("goes on from where it stopped again in the midst of catching up", () => {
    const { watchAll, clock } = makeWatches();
    const nouns = ["a", "b", "c"].map((name) => new TestNoun(name));
    const sink = watchAll(nouns);
    sink.takes = false;
    for (const noun of nouns) noun.become({ n: 1 });
    clock.advance(20);
    for (let i = 0; i < 3; i++) {
      // Takes what waits; the next event waits again.
      const { watch } = sink;
      sink.watch = undefined;
      sink.resume();
      sink.takes = false;
      sink.watch = watch;
      watch?.drained();
      expect(sink.data.length).toBe(2 + i);
    }
    sink.resume();
    expect(sink.data.slice(1)).toEqual([{ a: { n: 1 } }, { b: { n: 1 } }, { c: { n: 1 } }]);
  });
});

describe("a noun", () => {
  test("is read only while it is watched; `watch` is called for the first client, ended after the last", () => {
    const { watch, clock } = makeWatches();
    const led = new TestNoun("led");
    led.tell();
    clock.advance(10_000);
    expect([led.reads, led.begun]).toEqual([0, 0]);
    const first = watch(led);
    const second = watch(led);
    clock.advance(100);
    const { reads } = led;
    first.watch?.end();
    expect([led.begun, led.ended]).toEqual([1, 0]);
    second.watch?.end();
    second.watch?.end();
    expect([led.begun, led.ended]).toEqual([1, 1]);
    led.tell();
    clock.advance(10_000);
    expect(led.reads).toBe(reads);
    expect(clock.running).toBe(0);
  });

  test("that changes between its first reading and the call of `watch` is reported anyway", () => {
    const { watch, clock } = makeWatches();
    const led = new TestNoun("led");
    const begin = led.noun.watch?.bind(led.noun);
    Object.assign(led.noun, {
      watch: (changed: () => void) => {
        led.state = { n: 1 };
        return begin?.(changed);
      },
    });
    const sink = watch(led);
    clock.advance(100);
    expect(sink.data).toEqual([{ n: 0 }, { n: 1 }]);
  });

  test("that cannot tell is read every `poll` ms while it is watched, however many watch, and not otherwise", () => {
    const { watch, clock } = makeWatches();
    const sensor = new TestNoun("sensor", { poll: 250 });
    clock.advance(10_000);
    expect(sensor.reads).toBe(0);
    const sinks = [watch(sensor), watch(sensor), watch(sensor)];
    clock.advance(1_000);
    expect(sensor.reads).toBe(4);
    for (const sink of sinks) sink.watch?.end();
    clock.advance(10_000);
    expect(sensor.reads).toBe(4);
    expect(clock.running).toBe(0);
  });

  test("that takes its time is read once more when it has changed meanwhile, and once at a time", () => {
    const { watch, clock } = makeWatches();
    const led = new TestNoun("led");
    const sink = watch(led);
    clock.advance(100);
    led.isSlow = true;
    const { reads } = led;
    led.become({ n: 1 });
    clock.advance(100);
    led.become({ n: 2 });
    led.become({ n: 3 });
    clock.advance(1_000);
    expect(led.reads).toBe(reads + 1);
    led.answer();
    clock.advance(100);
    expect(led.reads).toBe(reads + 2);
    led.answer();
    expect(sink.data.at(-1)).toEqual({ n: 3 });
  });

  test("whose reading ends after its last client has gone disturbs nobody", () => {
    const { watch, clock } = makeWatches();
    const led = new TestNoun("led", { poll: 100 });
    led.isSlow = true;
    const gone = watch(led);
    clock.advance(100);
    gone.watch?.end();
    const next = watch(led);
    led.answer();
    clock.advance(50);
    expect(gone.data).toEqual([{ n: 0 }]);
    expect(next.data).toEqual([{ n: 0 }]);
    expect(led.reads).toBe(1);
  });

  test.each([
    [
      "throws",
      "Error: no",
      () => {
        throw new Error("no");
      },
    ],
    ["returns what ends nothing", "TypeError: watch must return the function that ends it.", () => undefined],
  ])("whose `watch` %s is polled, and that is reported", (_, report, wrong) => {
    const { watch, clock, reports } = makeWatches();
    const led = new TestNoun("led");
    Object.assign(led.noun, { watch: wrong });
    const sink = watch(led);
    clock.advance(3_000);
    expect(led.reads).toBe(3);
    sink.watch?.end();
    expect(reports).toEqual([`led: ${report}`]);
  });

  test("whose reading throws has failed", () => {
    const { watch, clock, reports } = makeWatches();
    const led = new TestNoun("led");
    const sink = watch(led);
    led.read = () => {
      throw new Error("out of memory");
    };
    clock.advance(100);
    expect(sink.data).toEqual([{ n: 0 }, null]);
    expect(reports).toEqual(["led: Error: out of memory"]);
  });

  test("whose state finds no memory has failed, and is read again", () => {
    const { watch, clock, reports } = makeWatches();
    const shape = { n: { type: "integer" }, since: { type: "integer", timeDependent: true } } as const;
    const led = new TestNoun("led", { state: { n: 0, since: 0 }, shape });
    const sink = watch(led);
    const { read } = led;
    led.read = (done) => done("{"); // what is no JSON makes an error where the memory for JSON would
    led.tell();
    clock.advance(100);
    led.read = read;
    led.state = { n: 1, since: 0 };
    clock.advance(1_000);
    expect(sink.data).toEqual([{ n: 0, since: 0 }, null, { n: 1, since: 0 }]);
    expect(reports).toHaveLength(1);
  });

  test("that calls `changed` from within its own reading costs no more than one that changes often", () => {
    const { watch, clock } = makeWatches(50);
    const led = new TestNoun("led");
    const read = led.read.bind(led);
    led.read = (done) => {
      led.tell();
      led.state = { n: led.reads };
      led.tell();
      read(done);
    };
    const sink = watch(led);
    clock.advance(10_000);
    expect(led.reads).toBeLessThanOrEqual(501);
    expect(sink.data.length).toBeLessThanOrEqual(501);
  });

  test("that is unregistered, or registered again, ends its own streams and those of all nouns that reach it", () => {
    const { watch, watchAll, watches } = makeWatches();
    const [led, door] = [new TestNoun("led"), new TestNoun("door")];
    const [own, other, all, few] = [watch(led), watch(door), watchAll([led, door]), watchAll([door])];
    watches.endFor("led");
    expect([own, other, all, few].map(({ isOver }) => isOver)).toEqual([true, false, true, false]);
    expect(led.ended).toBe(1);
    expect(watches.count).toBe(2);
    watches.close();
    expect([other, few].map(({ isOver }) => isOver)).toEqual([true, true]);
    expect(door.ended).toBe(1);
  });
});

describe("events", () => {
  test("of one noun are at most so many a second, and the last is always sent", () => {
    const { watch, clock } = makeWatches(10);
    const led = new TestNoun("led");
    const sink = watch(led);
    for (let n = 1; n <= 2_000; n++) {
      led.become({ n });
      clock.advance(1);
    }
    expect(sink.data.length).toBeLessThanOrEqual(22);
    expect(sink.data.length).toBeGreaterThan(18);
    clock.advance(100);
    expect(sink.data.at(-1)).toEqual({ n: 2_000 });
  });

  test("stay within the limit when new clients see other states, and those that watch get the last one", () => {
    const { watch, clock } = makeWatches(10);
    const led = new TestNoun("led", { poll: 60_000 });
    const sink = watch(led);
    for (let n = 1; n <= 1_000; n++) {
      led.state = { n };
      watch(led).watch?.end();
      clock.advance(1);
    }
    clock.advance(100);
    expect(sink.data.length).toBeLessThanOrEqual(12);
    expect(sink.data.at(-1)).toEqual({ n: 1_000 });
  });

  test("are written to all who watch the same at once, and waited for where something waits", () => {
    const { watch, watchAll, clock, broadcaster } = makeWatches();
    const led = new TestNoun("led");
    const sinks = Array.from({ length: 100 }, () => watch(led));
    const [slow, gone] = sinks;
    watchAll([led]);
    watchAll([led]);
    for (let n = 1; n <= 3; n++) {
      if (n === 2) {
        if (slow !== undefined) slow.takes = false;
        gone?.watch?.end();
      }
      led.become({ n });
      clock.advance(100);
    }
    expect(broadcaster.texts.length).toBe(6);
    expect(led.reads).toBeLessThanOrEqual(4);
    expect(sinks.map(({ waits }) => waits)).toEqual([1, ...Array.from({ length: 99 }, () => 0)]);
    slow?.resume();
    expect(sinks.map(({ data }) => data.length)).toEqual([4, 2, ...Array.from({ length: 98 }, () => 4)]);
    expect(slow?.data.at(-1)).toEqual({ n: 3 });
  });
});
