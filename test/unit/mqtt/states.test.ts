/** The states that a device publishes. */
import { describe, expect, test } from "vitest";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { ValueNoun } from "../../../ts/hardware/nouns/value-noun.ts";
import { type BrokerEnd, messages, TestDevice } from "./scripted-broker.ts";

/** A noun whose state a test sets. It tells of changes. */
class ToldNoun implements Noun {
  state: State | Error;
  private changed: (() => void) | undefined;

  constructor(state: State | Error) {
    this.state = state;
  }

  getState(): State {
    if (this.state instanceof Error) throw this.state;
    return this.state;
  }

  setState(state: State): State {
    this.set(state);
    return state;
  }

  updateState(state: State): State {
    return this.setState(state);
  }

  deleteState(): State {
    return this.setState({});
  }

  set(state: State | Error): void {
    this.state = state;
    this.changed?.();
  }

  watch(changed: () => void): () => void {
    this.changed = changed;
    return () => {
      this.changed = undefined;
    };
  }

  get isWatched(): boolean {
    return this.changed !== undefined;
  }
}

/** Lets nouns be read, without acknowledgements. */
function pass(device: TestDevice, time: number): void {
  device.clock.advance(time);
}

function publishedBy(broker: BrokerEnd): readonly (readonly [unknown, string])[] {
  return messages(broker.packets());
}

test("a change is published", () => {
  const noun = new ToldNoun({ n: 1 });
  const device = new TestDevice({ count: noun });
  const { broker } = device.connect();
  noun.set({ n: 2 });
  expect(messages(device.pass(broker, 100))).toEqual([["nound/hall/count", '{"n":2}']]);
});

test("a noun that fails is null, until it recovers", () => {
  const noun = new ToldNoun(new Error("no"));
  const device = new TestDevice({ count: noun });
  const { broker, sent } = device.connect();
  expect(messages(sent)[0]).toEqual(["nound/hall/count", "null"]);
  noun.set({ n: 1 });
  expect(messages(device.pass(broker, 5_000))).toEqual([["nound/hall/count", '{"n":1}']]);
  noun.set(new Error("no"));
  expect(messages(device.pass(broker, 100))).toEqual([["nound/hall/count", "null"]]);
});

test("a change of a time-dependent key alone publishes nothing", () => {
  let age = 0;
  const noun: Noun = Object.assign(new ToldNoun({}), {
    shape: { open: { type: "integer" }, age: { type: "integer", timeDependent: true } } as const,
    getState: () => ({ open: 0, age }),
  });
  const device = new TestDevice({ door: noun });
  const { broker } = device.connect();
  age = 7;
  (noun as ToldNoun).set({});
  expect(messages(device.pass(broker, 5_000))).toEqual([]);
});

test("a noun that cannot tell of changes is polled while connected, and only then", () => {
  let reads = 0;
  const noun = new ValueNoun({ default: { n: 1 } });
  const sensor: Noun = {
    poll: 100,
    settable: false,
    getState: () => ({ reads: ++reads }),
    setState: (state) => noun.setState(state),
    updateState: (state) => noun.updateState(state),
    deleteState: () => noun.deleteState(),
  };
  const device = new TestDevice({ sensor });
  device.clock.advance(3_000);
  expect(reads).toBe(0);
  const { broker } = device.connect();
  device.pass(broker, 1_000);
  expect(reads).toBe(11);
  broker.peer.reset();
  device.clock.advance(60_000);
  expect(reads).toBe(11);
});

test("while a message is not acknowledged, its topic gets no other, and then the latest state", () => {
  const noun = new ToldNoun({ n: 0 });
  const device = new TestDevice({ count: noun });
  const { broker } = device.connect();
  for (let n = 1; n <= 100; n++) {
    noun.set({ n });
    pass(device, 50);
  }
  const sent = broker.packets();
  expect(messages(sent)).toEqual([["nound/hall/count", '{"n":1}']]);
  broker.acknowledge(sent);
  expect(publishedBy(broker)).toEqual([["nound/hall/count", '{"n":100}']]);
});

test("eight messages at most are not acknowledged", () => {
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
  const device = new TestDevice(Object.fromEntries(names.map((name) => [name, new SwitchNoun({ key: "on" })])));
  const broker = device.takeConnection();
  broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false });
  broker.acknowledge();
  pass(device, 1_000);
  const first = broker.packets();
  expect(messages(first).map(([topic]) => topic)).toEqual(names.slice(0, 8).map((name) => `nound/hall/${name}`));
  broker.acknowledge(first.slice(0, 3));
  expect(publishedBy(broker)).toHaveLength(3);
});

test("fewer are, if the broker takes fewer", () => {
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
  const device = new TestDevice(Object.fromEntries(names.map((name) => [name, new SwitchNoun({ key: "on" })])));
  const broker = device.takeConnection();
  broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false, properties: { receiveMaximum: 2 } });
  broker.acknowledge();
  expect(publishedBy(broker)).toHaveLength(2);
  const { sent } = new TestDevice(
    Object.fromEntries(names.map((name) => [name, new SwitchNoun({ key: "on" })])),
  ).connect({
    receiveMaximum: 2,
  });
  expect(messages(sent)).toHaveLength(21);
});

test("a noun that changes by itself earns a message each interval, saves ten, and the last state is not lost", () => {
  const noun = new ToldNoun({ n: 0 });
  const device = new TestDevice({ count: noun }, { interval: 200 });
  const { broker } = device.connect();
  device.pass(broker, 10_000);
  const burst: string[] = [];
  for (let n = 1; n <= 10; n++) {
    noun.set({ n });
    burst.push(...messages(device.pass(broker, 5)).map(([, payload]) => payload));
  }
  expect(burst).toEqual(Array.from({ length: 10 }, (_, index) => `{"n":${index + 1}}`));
  let later = 0;
  for (let n = 11; n <= 1_010; n++) {
    noun.set({ n });
    later += messages(device.pass(broker, 20)).length;
  }
  // 100 are earned in 20 s.
  expect(later).toBeGreaterThanOrEqual(98);
  expect(later).toBeLessThanOrEqual(102);
  device.pass(broker, 500);
  noun.set({ n: 2_000 });
  expect(messages(device.pass(broker, 500)).at(-1)).toEqual(["nound/hall/count", '{"n":2000}']);
});

test("the state after a command is published at once, also of a noun that has spent its messages", () => {
  const noun = new ToldNoun({ n: 0 });
  const device = new TestDevice({ count: noun }, { interval: 60_000 });
  const { broker } = device.connect();
  for (let n = 1; n <= 20; n++) {
    noun.set({ n });
    device.pass(broker, 50);
  }
  for (let n = 100; n < 200; n++) {
    broker.publish("nound/hall/count/put", `{"n":${n}}`);
    const sent = broker.packets();
    expect(messages(sent)).toEqual([["nound/hall/count", `{"n":${n}}`]]);
    broker.acknowledge(sent);
  }
  // A command that changes nothing makes what the noun does by itself no more urgent.
  broker.publish("nound/hall/count/put", '{"n":199}');
  noun.set({ n: 7 });
  expect(messages(device.pass(broker, 1_000))).toEqual([]);
});

test("a broker that takes no bytes costs the latest state of each noun, and gets it", () => {
  const noun = new ToldNoun({ n: 0 });
  const device = new TestDevice({ count: noun });
  const { broker } = device.connect();
  broker.peer.setRoom(0);
  for (let n = 1; n <= 100; n++) {
    noun.set({ n });
    pass(device, 50);
  }
  broker.peer.setRoom(Number.POSITIVE_INFINITY);
  expect(messages(device.pass(broker, 100))).toEqual([
    ["nound/hall/count", '{"n":1}'],
    ["nound/hall/count", '{"n":100}'],
  ]);
});

test("a broker that takes no bytes for 20 s is left", () => {
  const noun = new ToldNoun({ n: 0 });
  const device = new TestDevice({ count: noun });
  const { broker } = device.connect();
  broker.peer.setRoom(0);
  noun.set({ n: 1 });
  pass(device, 19_000);
  expect(broker.peer.released).toBe(false);
  pass(device, 2_000);
  expect(broker.peer.released).toBe(true);
});

test("a state that is too long for the broker is reported, and the others are published", () => {
  const device = new TestDevice({
    note: new ValueNoun({ default: { text: "x".repeat(500) } }),
    led: new SwitchNoun({ key: "led" }),
  });
  const { sent } = device.connect({ maximumPacketSize: 300 });
  expect(messages(sent)).toEqual([
    ["nound/hall/led", '{"led":0}'],
    ["nound/hall", "online"],
  ]);
  expect(device.reports).toEqual(["nound/hall/note: the state is larger than the broker accepts"]);
});

test("a message that the broker refuses is reported, and the noun's next state is published", () => {
  const noun = new ToldNoun({ n: 0 });
  const device = new TestDevice({ count: noun });
  const { broker } = device.connect();
  noun.set({ n: 1 });
  pass(device, 50);
  const [refused] = broker.packets();
  broker.send({ cmd: "puback", messageId: refused?.messageId, reasonCode: 0x87 });
  expect(device.reports).toEqual(["mqtt nound/hall/count: not authorized; check the broker's access control list"]);
  noun.set({ n: 2 });
  expect(messages(device.pass(broker, 100))).toEqual([["nound/hall/count", '{"n":2}']]);
});

test("a state of which no GET is allowed is not published, nor is its noun read", () => {
  const device = new TestDevice(
    { secret: new ToldNoun(new Error("read")), led: new SwitchNoun({ key: "led" }) },
    { allows: (verb, noun) => verb !== "GET" || noun === "led" },
  );
  expect(messages(device.connect().sent).map(([topic]) => topic)).toEqual(["nound/hall/led", "nound/hall"]);
});

describe("a noun that", () => {
  test("is registered during a session is published", () => {
    const device = new TestDevice({ led: new SwitchNoun({ key: "led" }) });
    const { broker } = device.connect();
    device.server.register("fan", new SwitchNoun({ key: "fan" }));
    device.client.registered("fan");
    expect(messages(device.pass(broker, 100))).toEqual([["nound/hall/fan", '{"fan":0}']]);
  });

  test("is removed leaves no retained state", () => {
    const noun = new ToldNoun({ n: 0 });
    const device = new TestDevice({ count: noun, led: new SwitchNoun({ key: "led" }) });
    const { broker } = device.connect();
    device.server.unregister("count");
    expect(noun.isWatched).toBe(false);
    const sent = device.pass(broker, 2_000);
    expect(messages(sent)).toEqual([["nound/hall/count", ""]]);
    expect(sent[0]).toMatchObject({ retain: true });
  });

  test("is registered again is published again", () => {
    const device = new TestDevice({ count: new ToldNoun({ n: 0 }) });
    const { broker } = device.connect();
    device.server.unregister("count");
    device.server.register("count", new ToldNoun({ n: 5 }));
    expect(messages(device.pass(broker, 2_000))).toEqual([["nound/hall/count", '{"n":5}']]);
  });

  test("does not answer delays online, and nothing else", () => {
    const never: Noun = Object.assign(new ToldNoun({}), { getState: () => new Promise<State>(() => {}) });
    const device = new TestDevice({ never, led: new SwitchNoun({ key: "led" }) });
    const { broker, sent } = device.connect();
    expect(messages(sent)).toEqual([["nound/hall/led", '{"led":0}']]);
    const later = messages(device.pass(broker, device.server.host.limits.nounTimeout));
    expect(later).toEqual([
      ["nound/hall/never", "null"],
      ["nound/hall", "online"],
    ]);
  });
});

test("nothing is watched any more when the connection is lost", () => {
  const noun = new ToldNoun({ n: 0 });
  const device = new TestDevice({ count: noun });
  const { broker } = device.connect();
  expect(noun.isWatched).toBe(true);
  broker.peer.reset();
  expect(noun.isWatched).toBe(false);
});

test("a thousand nouns are published, some at a time", () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `n${index}`);
  const device = new TestDevice(Object.fromEntries(names.map((name) => [name, new SwitchNoun({ key: "on" })])));
  const { sent } = device.connect();
  expect(messages(sent)).toHaveLength(1_001);
  expect(messages(sent).at(-1)).toEqual(["nound/hall", "online"]);
});
