import { describe, expect, test } from "vitest";
import type { Feed } from "../../../ts/core/feeds/feed.ts";
import type { Follower } from "../../../ts/core/feeds/follower.ts";
import { StateAnswer } from "../../../ts/core/operations/answer.ts";
import { LoopTurns } from "../time/loop-turns.ts";
import { TestNoun, World } from "./world.ts";

/** Writes down what it is told. */
class Recorder implements Follower {
  readonly told: (string | undefined)[] = [];
  error: Error | undefined;

  onState({ json }: Feed): void {
    const { error } = this;
    this.error = undefined;
    if (error !== undefined) throw error;
    this.told.push(json);
  }
}

/** A world with a noun, and one who follows it. */
function following(noun: TestNoun, maxEventsPerSecond?: number) {
  const world = new World(maxEventsPerSecond);
  world.register(noun);
  const recorder = new Recorder();
  const feed = world.feeds.of(noun.name);
  feed.follow(recorder);
  world.clock.advance(0);
  return { world, clock: world.clock, feed, recorder, told: recorder.told };
}

test("a new follower needs a few lines and no other file: a counter of changes", () => {
  class ChangeCounter implements Follower {
    readonly counts = new Map<string, number>();

    onState({ name, version }: Feed): void {
      this.counts.set(name, version - 1);
    }
  }
  const { world, feed } = following(new TestNoun("led"));
  const counter = new ChangeCounter();
  feed.follow(counter);
  for (let n = 1; n <= 3; n++) {
    world.nouns.get("led")?.become({ n });
    world.clock.advance(100);
  }
  expect(counter.counts.get("led")).toBe(3);
});

describe("a follower", () => {
  test("is told nothing when only a key that depends on time changes", () => {
    const shape = { edges: { type: "integer" }, since: { type: "integer", timeDependent: true } } as const;
    const door = new TestNoun("door", { state: { edges: 0, since: 5 }, shape });
    const { clock, told, feed } = following(door);
    door.become({ edges: 0, since: 500 });
    clock.advance(100);
    expect(told).toEqual(['{"edges":0,"since":5}']);
    // One more gets the state as it is now.
    const second = new Recorder();
    door.state = { edges: 0, since: 700 };
    feed.followNow(second);
    expect(second.told).toEqual(['{"edges":0,"since":700}']);
  });

  test("is told that a key that changes with time alone comes and goes", () => {
    const shape = {
      on: { type: "integer" },
      remaining: { type: "integer", timeDependent: true, optional: true },
    } as const;
    const lamp = new TestNoun("lamp", { state: { on: 1 }, shape });
    const { clock, told } = following(lamp);
    for (const state of [{ on: 1, remaining: 9 }, { on: 1, remaining: 8 }, { on: 1 }]) {
      lamp.become(state);
      clock.advance(1_000);
    }
    expect(told).toEqual(['{"on":1}', '{"on":1,"remaining":9}', '{"on":1}']);
  });

  test("is told that the noun fails, that it recovers, that it is gone and that another one has the name", () => {
    const led = new TestNoun("led");
    const { world, clock, told, feed } = following(led);
    led.hasFailed = true;
    led.tell();
    clock.advance(100);
    expect([feed.json, feed.failure?.status, feed.isGone]).toEqual([undefined, 500, false]);
    led.hasFailed = false;
    // A noun that fails is asked each second.
    clock.advance(1_000);
    world.unregister("led");
    clock.advance(100);
    expect([feed.json, feed.failure, feed.isGone]).toEqual([undefined, undefined, true]);
    world.register(new TestNoun("led", { state: { n: 7 } }));
    clock.advance(100);
    expect(told).toEqual(['{"n":0}', undefined, '{"n":0}', undefined, '{"n":7}']);
  });

  test("that fails is told again after another reading, and the others are told in time", () => {
    const led = new TestNoun("led");
    const { world, clock, recorder, feed } = following(led);
    const other = new Recorder();
    feed.join(other);
    recorder.error = new Error("out of memory");
    led.become({ n: 1 });
    clock.advance(100);
    expect([recorder.told, other.told]).toEqual([['{"n":0}'], ['{"n":1}']]);
    clock.advance(1_000);
    expect([recorder.told, other.told]).toEqual([['{"n":0}', '{"n":1}'], ['{"n":1}']]);
    expect(world.reports).toEqual(["led: Error: out of memory"]);
  });

  test("that leaves while followers are told is not told", () => {
    const led = new TestNoun("led");
    const { clock, feed, told } = following(led);
    const leaver = { onState: () => feed.unfollow(second) };
    const second = new Recorder();
    feed.join(leaver);
    feed.join(second);
    led.become({ n: 1 });
    clock.advance(100);
    expect([told.length, second.told]).toEqual([2, []]);
  });
});

describe("a close follower", () => {
  /** Follows a noun closely, as a guard does that names it. */
  function closely(noun: TestNoun) {
    const world = new World();
    world.register(noun);
    const answers: (string | undefined)[] = [];
    const feed = world.feeds.of(noun.name);
    feed.follow({ onReading: (answer) => void answers.push(answer?.json), onState: () => {} });
    world.clock.advance(0);
    return { world, feed, answers };
  }

  test("is given each reading, which is kept for those who follow later", () => {
    const led = new TestNoun("led");
    const { world, feed, answers } = closely(led);
    led.become({ n: 1 });
    world.clock.advance(0);
    expect(answers).toEqual(['{"n":0}', '{"n":1}']);
    expect(feed.version).toBe(0);
    expect(feed.json).toBe('{"n":1}');
    const recorder = new Recorder();
    feed.followNow(recorder);
    led.become({ n: 2 });
    world.clock.advance(100);
    expect(recorder.told).toEqual(['{"n":1}', '{"n":2}']);
    expect(answers.at(-1)).toBe('{"n":2}');
  });

  test("has a noun read no more often that gives a state and tells of its changes", () => {
    const led = new TestNoun("led");
    const { world } = closely(led);
    world.clock.advance(60_000);
    expect(led.reads).toBe(1);
  });
});

describe("a noun", () => {
  test("is read only while it is followed; `watch` is called for the first follower, ended after the last", () => {
    const led = new TestNoun("led");
    const { clock, feed, recorder } = following(led);
    const second = new Recorder();
    feed.follow(second);
    clock.advance(100);
    feed.unfollow(recorder);
    expect([led.begun, led.ended]).toEqual([1, 0]);
    feed.unfollow(second);
    feed.unfollow(second);
    expect([led.begun, led.ended]).toEqual([1, 1]);
    const { reads } = led;
    clock.advance(60_000);
    expect([led.reads, clock.running]).toEqual([reads, 0]);
  });

  test("is read no more once its only follower has left as it was told", () => {
    const world = new World();
    const led = world.register(new TestNoun("led", { poll: 100 }));
    const feed = world.feeds.of("led");
    const follower = { onState: () => feed.unfollow(follower) };
    feed.follow(follower);
    world.clock.advance(1_000);
    expect([led.reads, world.clock.running]).toEqual([1, 0]);
  });

  test("is read once for all who begin to follow it in one turn", () => {
    const world = new World();
    const led = world.register(new TestNoun("led"));
    const recorders = Array.from({ length: 100 }, () => new Recorder());
    for (const recorder of recorders) world.feeds.of("led").follow(recorder);
    world.clock.advance(0);
    expect(led.reads).toBe(1);
    expect(recorders.every(({ told }) => told.length === 1)).toBe(true);
  });

  test("that changes while `watch` is called is read after that", () => {
    const led = new TestNoun("led");
    const begin = led.face.watch?.bind(led.face);
    Object.assign(led.face, {
      watch: (changed: () => void) => {
        led.state = { n: 1 };
        return begin?.(changed);
      },
    });
    expect(following(led).told).toEqual(['{"n":1}']);
  });

  test("that cannot tell is read every `poll` ms while it is followed, however many follow", () => {
    const sensor = new TestNoun("sensor", { poll: 250 });
    const { clock, feed, recorder } = following(sensor);
    const others = [new Recorder(), new Recorder()];
    for (const other of others) feed.join(other);
    clock.advance(1_000);
    expect(sensor.reads).toBe(5);
    for (const one of [recorder, ...others]) feed.unfollow(one);
    clock.advance(10_000);
    expect([sensor.reads, clock.running]).toEqual([5, 0]);
  });

  test("that takes its time is read once more when it has changed meanwhile, and once at a time", () => {
    const led = new TestNoun("led");
    const { clock, told } = following(led);
    led.isSlow = true;
    led.become({ n: 1 });
    clock.advance(100);
    led.become({ n: 2 });
    led.become({ n: 3 });
    clock.advance(1_000);
    expect(led.reads).toBe(2);
    led.answer();
    clock.advance(100);
    expect(led.reads).toBe(3);
    led.answer();
    clock.advance(100);
    expect(told.at(-1)).toBe('{"n":3}');
  });

  test("that is still being read when its last follower leaves, or when it is replaced, need not be", () => {
    const led = new TestNoun("led", { poll: 100 });
    const { world, clock, feed, recorder } = following(led);
    led.isSlow = true;
    clock.advance(100);
    expect(led.underway).toBe(1);
    world.register(new TestNoun("led"));
    expect(led.underway).toBe(0);
    feed.unfollow(recorder);
    expect(clock.running).toBe(1); // the turn in which the noun would be read
    clock.advance(100);
    expect(clock.running).toBe(0);
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
    const led = new TestNoun("led");
    Object.assign(led.face, { watch: wrong });
    const { world, clock } = following(led);
    clock.advance(3_000);
    expect(led.reads).toBe(4);
    expect(world.reports).toEqual([`led: ${report}`]);
  });

  test("whose reading throws has failed, and is read again", () => {
    const led = new TestNoun("led");
    const { world, clock, told } = following(led);
    led.error = new Error("out of memory");
    led.become({ n: 1 });
    clock.advance(1_100);
    expect(told).toEqual(['{"n":0}', undefined, '{"n":1}']);
    expect(world.reports).toEqual(["led: Error: out of memory"]);
  });

  test("whose state finds no memory has failed, and is read again", () => {
    const shape = { n: { type: "integer" }, since: { type: "integer", timeDependent: true } } as const;
    const led = new TestNoun("led", { state: { n: 0, since: 0 }, shape });
    const { world, clock, told } = following(led);
    const { parse } = JSON;
    led.tell();
    JSON.parse = () => {
      throw new Error("out of memory");
    };
    clock.advance(100);
    JSON.parse = parse;
    led.state = { n: 1, since: 0 };
    clock.advance(1_000);
    expect(told).toEqual(['{"n":0,"since":0}', undefined, '{"n":1,"since":0}']);
    expect(world.reports).toHaveLength(1);
  });

  test("that calls `changed` from within its own reading costs no more than one that changes often", () => {
    const led = new TestNoun("led");
    const ask = led.askAs.bind(led);
    led.askAs = (asker, verb, state) => {
      led.tell();
      led.state = { n: led.reads };
      led.tell();
      return ask(asker, verb, state);
    };
    const { clock, told } = following(led, 50);
    clock.advance(10_000);
    expect(led.reads).toBeLessThanOrEqual(530);
    expect(told.length).toBeLessThanOrEqual(530);
  });

  test("is not listened to any more once the server closes, but a reading under way is told", () => {
    const [led, slow] = [new TestNoun("led"), new TestNoun("slow")];
    slow.isSlow = true;
    const { world, clock, told } = following(led);
    world.register(slow);
    const waiting = new Recorder();
    world.feeds.of("slow").followNow(waiting);
    world.feeds.close();
    expect([led.listeners, slow.listeners]).toEqual([0, 0]);
    slow.answer();
    clock.advance(60_000);
    expect([waiting.told, told, clock.running]).toEqual([['{"n":0}'], ['{"n":0}'], 0]);
  });
});

describe("changes", () => {
  test("of one noun are told ten at once, then so often a second at most, and the last always is", () => {
    const led = new TestNoun("led");
    const { clock, told } = following(led, 10);
    for (let n = 1; n <= 2_000; n++) {
      led.become({ n });
      clock.advance(1);
    }
    expect(told.length).toBeLessThanOrEqual(33);
    expect(told.length).toBeGreaterThan(28);
    clock.advance(200);
    expect(told.at(-1)).toBe('{"n":2000}');
  });

  test("that a follower has made itself are told it at once, and the others within the limit", () => {
    const led = new TestNoun("led");
    const { clock, told, feed, recorder } = following(led, 10);
    const other = new Recorder();
    feed.join(other);
    for (let n = 1; n <= 100; n++) {
      led.state = { n };
      feed.changed();
      feed.setFromCommand(new StateAnswer(JSON.stringify(led.state)), recorder);
      expect(told.at(-1)).toBe(`{"n":${n}}`);
      clock.advance(1);
    }
    clock.advance(1_000);
    expect([told.length, told.at(-1), other.told.at(-1)]).toEqual([101, '{"n":100}', '{"n":100}']);
    expect(other.told.length).toBeLessThanOrEqual(12);
    expect(led.reads).toBeLessThanOrEqual(13);
  });

  test("stay within the limit when new followers are told other states at once", () => {
    const led = new TestNoun("led", { poll: 60_000 });
    const { clock, told, feed } = following(led, 10);
    for (let n = 1; n <= 1_000; n++) {
      led.state = { n };
      const next = new Recorder();
      feed.followNow(next);
      expect(next.told).toEqual([led.state].map((state) => JSON.stringify(state)));
      feed.unfollow(next);
      clock.advance(1);
    }
    clock.advance(100);
    expect(told.length).toBeLessThanOrEqual(23);
    expect(told.at(-1)).toBe('{"n":1000}');
  });

  test("are told in a later turn than they are read in, so the answer of the turn is sent before", () => {
    const led = new TestNoun("led", { poll: 1 });
    const { clock, told, feed } = following(led);
    clock.advance(100);
    const turns = new LoopTurns(clock);
    // Whatever makes the feed read the noun in this turn: another client, or the time.
    led.state = { n: 1 };
    const reader = new Recorder();
    feed.followNow(reader);
    expect([reader.told.length, told.length]).toEqual([1, 1]);
    turns.next();
    expect(told).toEqual(['{"n":0}', '{"n":1}']);
  });

  test("of a thousand nouns that are followed at once share the time of a turn", () => {
    const world = new World();
    const turns = new LoopTurns(world.clock);
    const nouns = Array.from({ length: 1_000 }, (_, index) => world.register(new TestNoun(`n${index}`)));
    for (const noun of nouns) {
      const ask = noun.askAs.bind(noun);
      noun.askAs = (asker, verb, state) => {
        turns.time += 0.3;
        return ask(asker, verb, state);
      };
      world.feeds.of(noun.name).followNow(new Recorder());
    }
    const inFirstTurn = nouns.filter(({ reads }) => reads === 1).length;
    expect(inFirstTurn).toBeLessThanOrEqual(4);
    turns.next();
    expect(nouns.filter(({ reads }) => reads === 1).length).toBeLessThanOrEqual(inFirstTurn + 4);
    turns.all();
    expect(nouns.every(({ reads }) => reads === 1)).toBe(true);
  });
});

test("a feed keeps the text of a state once, and that of an earlier state not at all", () => {
  const note = new TestNoun("note", { state: { text: "x".repeat(1_000) } });
  const { feed, clock } = following(note);
  note.become({ text: "y".repeat(1_000) });
  clock.advance(100);
  const texts = new Set<string>();
  for (const value of Object.values(feed)) if (typeof value === "string" && value.length > 100) texts.add(value);
  expect([...texts]).toEqual([JSON.stringify(note.state)]);
});
