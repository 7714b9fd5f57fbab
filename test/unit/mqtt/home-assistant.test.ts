/** How a device announces itself to Home Assistant, and the events that it publishes. */
import { describe, expect, test } from "vitest";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import { undescribed } from "../../../ts/core/noun/noun-traits.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import type { HomeAssistantSettings } from "../../../ts/parts/mqtt/announcement.ts";
import { checkDiscovery, componentsOf } from "../../harness/home-assistant/checker.ts";
import { type BrokerEnd, messages, type Sent, TestDevice } from "./scripted-broker.ts";

const homeAssistant: HomeAssistantSettings = {
  prefix: "homeassistant",
  id: "7a1c0f4e-0f3b-4c59-9d3e-5a0f3b1c2d4e",
  title: "Hall",
  label: "hall",
  version: "0.1.0",
  model: "BeagleBone Black",
  address: undefined,
};
const config = "homeassistant/device/7a1c0f4e-0f3b-4c59-9d3e-5a0f3b1c2d4e/config";

const lamp = () => ({ lamp: new SwitchNoun({ key: "on" }) });

function device(nouns: { readonly [name: string]: Noun } = lamp(), more: object = {}, limits: object = {}): TestDevice {
  return new TestDevice(nouns, { homeAssistant, ...more }, limits);
}

function topics(sent: readonly Sent[]): unknown[] {
  return messages(sent).map(([topic]) => topic);
}

/** @returns the messages of discovery, the last one first. */
function announced(sent: readonly Sent[]): string[] {
  return messages(sent)
    .filter(([topic]) => topic === config)
    .map(([, payload]) => payload)
    .reverse();
}

function idsIn(message: string | undefined): string[] {
  return componentsOf(message ?? "{}")
    .filter(({ id }) => id !== "binary_sensor::problem")
    .map(({ id, config: kept }) => (kept === undefined ? `no ${id}` : id));
}

/** The broker's stored message. */
function storedMessage(...ids: string[]): string {
  return JSON.stringify({ cmps: Object.fromEntries(ids.map((id) => [id, { p: id.split(":")[0], name: "a" }])) });
}

test("a device announces itself before its states, and says that it is online last", () => {
  const { sent } = device().connect();
  expect(topics(sent)).toEqual([config, "nound/hall/lamp", "nound/hall"]);
  expect(sent.find(({ topic }) => topic === config)).toMatchObject({ qos: 1, retain: true });
  const [message = ""] = announced(sent);
  expect(checkDiscovery(config, message)).toEqual([]);
  expect(idsIn(message)).toEqual(["switch:lamp/on", "button:lamp:delete"]);
});

test("the code that writes the message is freed when it was published, and when a stored one was read", () => {
  const hall = device();
  const { broker } = hall.connect();
  expect(hall.forgets).toBe(1);
  broker.publish(config, storedMessage("switch:lamp/on"), { retain: true });
  broker.settle();
  expect(hall.forgets).toBe(2);
});

test("it subscribes to its own message, which the broker may have stored, and to Home Assistant's start", () => {
  const { sent } = device(lamp(), { may: "" }).connect();
  const subscribe = sent.find(({ cmd }) => cmd === "subscribe");
  expect(subscribe?.["subscriptions"]).toEqual(
    expect.arrayContaining([
      { topic: config, qos: 1, nl: true, rap: false, rh: 0 },
      { topic: "homeassistant/status", qos: 1, nl: false, rap: true, rh: 2 },
      { topic: "nound/hall/+/put", qos: 1, nl: false, rap: true, rh: 2 },
    ]),
  );
});

test("without homeAssistant it does neither", () => {
  const { sent } = new TestDevice(lamp()).connect();
  expect(topics(sent)).toEqual(["nound/hall/lamp", "nound/hall"]);
  expect(JSON.stringify(sent.filter(({ cmd }) => cmd === "subscribe"))).not.toContain("homeassistant");
});

describe("what the broker has stored", () => {
  const stored = storedMessage("switch:lamp/on", "button:lamp:delete", "sensor:cellar/celsius");
  const expected = ["switch:lamp/on", "button:lamp:delete", "no sensor:cellar/celsius"];

  test("tells what is no more, which one message removes", () => {
    const hall = device();
    const broker = hall.takeConnection();
    broker.packets();
    broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false, properties: {} });
    broker.publish(config, stored, { retain: true });
    const sent = broker.settle();
    expect(announced(sent).map(idsIn)).toEqual([expected]);
    expect(topics(sent)).toEqual([config, "nound/hall/lamp", "nound/hall"]);
    expect(hall.reports).toEqual([]);
  });

  test("may come after the first message, and then another one removes it", () => {
    const hall = device();
    const { broker } = hall.connect();
    broker.publish(config, stored, { retain: true });
    expect(announced(broker.settle()).map(idsIn)).toEqual([expected]);
    broker.publish(config, storedMessage("switch:lamp/on"), { retain: true });
    expect(broker.settle()).toEqual([]);
  });

  test.each([
    ["empty", ""],
    ["no JSON", "{"],
    ["no UTF-8", "\u00ff"],
    ["no object", '{"cmps":[]}'],
    ["too long", "x".repeat(64_000)],
  ])("changes nothing if it is %s", (_, payload) => {
    const hall = device();
    const { broker } = hall.connect();
    broker.publish(config, Buffer.from(payload, "latin1"), { retain: true });
    expect(broker.settle()).toEqual([]);
    expect(hall.client.counts.isConnected).toBe(true);
  });

  test("is one message of a session, of which a thousand entities are removed at most", () => {
    const hall = device(lamp(), {}, { bodyBytes: 65_536 });
    const { broker } = hall.connect();
    const many = Array.from({ length: 3_000 }, (_, index) => `switch:${index}`);
    broker.publish(config, storedMessage(...many.slice(0, 1_400)), { retain: true });
    broker.publish(config, storedMessage(...many.slice(1_400)), { retain: true });
    expect(announced(broker.settle()).map(idsIn)).toEqual([
      ["switch:lamp/on", "button:lamp:delete", ...many.slice(0, 1_000).map((id) => `no ${id}`)],
    ]);
  });

  test("is removed once: the next message does not have it", () => {
    const hall = device();
    const { broker } = hall.connect();
    broker.publish(config, stored, { retain: true });
    const [last = ""] = announced(broker.settle());
    broker.peer.end();
    const again = hall.takeConnection();
    again.packets();
    again.send({ cmd: "connack", reasonCode: 0, sessionPresent: false, properties: {} });
    again.publish(config, last, { retain: true });
    expect(announced(again.settle()).map(idsIn)).toEqual([["switch:lamp/on", "button:lamp:delete"]]);
  });
});

describe("a device whose id has changed", () => {
  function moved(last: string | undefined): { readonly hall: TestDevice; readonly kept: string[] } {
    const kept: string[] = [];
    const place = { topic: last, keep: (topic: string) => kept.push(topic) };
    return { hall: device(lamp(), { homeAssistant: { ...homeAssistant, kept: place } }), kept };
  }

  test("removes its former message first, and keeps where the new one is", () => {
    const { hall, kept } = moved("homeassistant/device/former/config");
    const { broker, sent } = hall.connect();
    const [first, second] = sent.filter(({ cmd }) => cmd === "publish");
    expect(first).toMatchObject({ topic: "homeassistant/device/former/config", qos: 1, retain: true });
    expect(String(first?.["payload"])).toBe("");
    expect(second).toMatchObject({ topic: config });
    expect(kept).toEqual([config]);
    broker.peer.end();
    expect(topics(hall.connect().sent)).not.toContain("homeassistant/device/former/config");
  });

  test.each([undefined, config])("removes nothing if it last announced itself at %s", (last) => {
    const { hall, kept } = moved(last);
    expect(topics(hall.connect().sent)[0]).toBe(config);
    expect(kept).toEqual([config]);
  });
});

test("another device that announces itself by the same id is reported", () => {
  const hall = device();
  const { broker } = hall.connect();
  broker.publish(config, storedMessage("switch:lamp/on"));
  expect(broker.settle()).toEqual([]);
  expect(hall.reports).toEqual([expect.stringContaining("another device announces itself by the id 7a1c0f4e")]);
  // A person has deleted the device in Home Assistant.
  broker.publish(config, "");
  expect(broker.settle()).toEqual([]);
  expect(hall.reports).toHaveLength(1);
});

test("the entities of a noun that is not described yet stay, and go with it or for others", () => {
  const bell = Object.assign(new SwitchNoun({ key: "on" }), { [undescribed]: true });
  const hall = device({ ...lamp(), bell });
  const { broker } = hall.connect();
  broker.publish(config, storedMessage("switch:lamp/on", "switch:bell/on", "event:bell:event"), { retain: true });
  expect(announced(broker.settle()).map(idsIn)).toEqual([["switch:lamp/on", "button:lamp:delete"]]);
  Object.assign(bell, { shape: { rings: { type: "integer", readOnly: true } }, [undescribed]: false });
  hall.client.registered("bell");
  expect(idsIn(announced(hall.pass(broker, 1_000))[0])).toEqual([
    ...["switch:lamp/on", "button:lamp:delete", "sensor:bell/rings", "button:bell:delete"],
    ...["no switch:bell/on", "no event:bell:event"],
  ]);
});

test("a noun that comes is announced, and one that goes is removed", () => {
  const hall = device();
  const { broker } = hall.connect();
  hall.server.register("fan", new SwitchNoun({ key: "on" }));
  hall.client.registered("fan");
  expect(idsIn(announced(hall.pass(broker, 1_000))[0])).toContain("switch:fan/on");
  hall.server.unregister("lamp");
  expect(idsIn(announced(hall.pass(broker, 3_000))[0])).toEqual([
    "switch:fan/on",
    "button:fan:delete",
    "no switch:lamp/on",
    "no button:lamp:delete",
  ]);
});

describe("when Home Assistant starts", () => {
  const birth = (broker: BrokerEnd, payload = "online"): void => broker.publish("homeassistant/status", payload);

  test("everything is sent again after a random part of ten seconds", () => {
    const hall = device();
    const { broker } = hall.connect();
    hall.random.push(0.3);
    birth(broker);
    expect(hall.pass(broker, 2_999)).toEqual([]);
    expect(topics(hall.pass(broker, 1))).toEqual([config, "nound/hall/lamp", "nound/hall"]);
  });

  test("it is answered once a minute at most", () => {
    const hall = device();
    const { broker } = hall.connect();
    hall.random.push(0, 0);
    birth(broker);
    birth(broker);
    expect(topics(hall.pass(broker, 0))).toHaveLength(3);
    birth(broker);
    for (const time of [31_000, 28_999]) {
      expect(topics(hall.pass(broker, time))).toEqual([]);
      broker.send({ cmd: "pingresp" });
    }
    expect(topics(hall.pass(broker, 1))).toHaveLength(3);
  });

  test("its end is no start", () => {
    const hall = device();
    const { broker } = hall.connect();
    birth(broker, "offline");
    expect(topics(hall.pass(broker, 15_000))).toEqual([]);
    expect(hall.reports).toEqual([]);
  });
});

test("while a message is being written, no other one is, and what changes meanwhile is in the next", () => {
  const read: string[] = [];
  const noted = (name: string): Noun =>
    Object.defineProperty(new SwitchNoun({ key: "on" }), "homeAssistant", {
      get: () => void read.push(name),
    });
  const hall = device({ first: noted("first"), lamp: new SwitchNoun({ key: "on" }), last: noted("last") });
  const { broker } = hall.connect();
  read.length = 0;
  // Few nouns fit in a turn, which takes a millisecond.
  let looks = 0;
  hall.clock.turnTime = () => (looks++ % 3 === 0 ? 0 : 2);
  const setTimer = hall.clock.setTimer.bind(hall.clock);
  hall.clock.setTimer = (callback, delay) => setTimer(callback, Math.max(1, delay));
  hall.random.push(0.1);
  hall.client.registered("lamp");
  broker.publish("homeassistant/status", "online");
  hall.clock.advance(1_001);
  hall.server.register("fan", new SwitchNoun({ key: "on" }));
  const written = announced(hall.pass(broker, 100));
  expect(idsIn(written[0])).toContain("switch:fan/on");
  expect(read.join(" ")).not.toMatch(/first (?!last)|last (?!first)/);
});

test("a message that is too long for the broker is reported, and the states are published", () => {
  const hall = device();
  const { sent } = hall.connect({ maximumPacketSize: 300 });
  expect(topics(sent)).toEqual(["nound/hall/lamp", "nound/hall"]);
  expect(hall.reports).toEqual([`${config}: the message for Home Assistant is larger than the broker accepts`]);
});

test("states are published also when the message for Home Assistant cannot be written", () => {
  const broken = Object.defineProperty(new SwitchNoun({ key: "on" }), "homeAssistant", {
    get() {
      throw new Error("out of memory");
    },
  });
  const hall = device({ lamp: broken });
  const { sent } = hall.connect();
  expect(topics(sent)).toEqual(["nound/hall/lamp", "nound/hall"]);
  expect(hall.reports.at(-1)).toBe(`${config}: the message for Home Assistant cannot be written: Error: out of memory`);
});

test("a message twice as long as its own may come, and a command may still have no more than bodyBytes", () => {
  const nouns = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`lamp${index}`, new SwitchNoun({ key: "on" })]),
  );
  const hall = device(nouns, {}, { bodyBytes: 1_000 });
  const broker = hall.takeConnection();
  const [connect] = broker.packets() as unknown as [{ properties: { maximumPacketSize: number } }];
  broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false, properties: {} });
  const sent = broker.settle();
  const length = Buffer.byteLength(announced(sent)[0] ?? "");
  expect(length).toBeGreaterThan(40_000);
  expect(connect.properties.maximumPacketSize).toBeGreaterThan(2 * length);
  broker.publish("nound/hall/lamp0/put", " ".repeat(1_001));
  expect(JSON.parse(messages(broker.settle())[0]?.[1] ?? "{}")).toMatchObject({ status: 413 });
});

describe("a noun whose key counts events", () => {
  class Bell implements Noun {
    readonly shape = {
      short: { type: "integer", counts: "events" },
      long: { type: "integer", counts: "events" },
    } as const;
    state: State = { short: 5, long: 0 };
    isBroken = false;
    private changed: (() => void) | undefined;
    getState(): State {
      if (this.isBroken) throw new Error("no");
      return this.state;
    }
    setState = (state: State): State => {
      this.state = state;
      this.changed?.();
      return state;
    };
    updateState = this.setState;
    deleteState = (): State => this.setState({ short: 0, long: 0 });
    watch(changed: () => void): () => void {
      this.changed = changed;
      return () => {
        this.changed = undefined;
      };
    }
  }

  const events = (sent: readonly Sent[]): string[] =>
    messages(sent)
      .filter(([topic]) => topic === "nound/hall/bell/event")
      .map(([, payload]) => payload);

  test("publishes each step of it, at once and once", () => {
    const bell = new Bell();
    const hall = new TestDevice({ bell }, { interval: 60_000 });
    const { broker, sent } = hall.connect();
    expect(events(sent)).toEqual([]);
    bell.setState({ short: 6, long: 0 });
    const published = hall.pass(broker, 10);
    expect(events(published)).toEqual(['{"event_type":"short"}']);
    expect(published.find(({ topic }) => topic === "nound/hall/bell/event")).toMatchObject({ qos: 1, retain: false });
    bell.setState({ short: 8, long: 1 });
    expect(events(hall.pass(broker, 100))).toEqual([
      '{"event_type":"short"}',
      '{"event_type":"short"}',
      '{"event_type":"long"}',
    ]);
    bell.deleteState();
    expect(events(hall.pass(broker, 100))).toEqual([]);
    bell.setState({ short: 1, long: 0 });
    expect(events(hall.pass(broker, 100))).toEqual(['{"event_type":"short"}']);
  });

  test("publishes nothing that happens while it fails or the broker is away", () => {
    const bell = new Bell();
    const hall = new TestDevice({ bell });
    const { broker } = hall.connect();
    broker.peer.end();
    bell.setState({ short: 9, long: 0 });
    const again = hall.connect();
    expect(events(again.sent)).toEqual([]);
    bell.setState({ short: 10, long: 0 });
    expect(events(hall.pass(again.broker, 10))).toHaveLength(1);
  });

  test("lets eight wait for a broker that acknowledges nothing", () => {
    const bell = new Bell();
    const hall = new TestDevice({ bell });
    const { broker } = hall.connect();
    for (let short = 6; short < 40; short++) {
      bell.setState({ short, long: 0 });
      hall.clock.advance(1);
    }
    // Eight messages are under way. One of them is the state.
    expect(events(broker.packets()).length).toBeLessThanOrEqual(8);
    const waiting = events(hall.pass(broker, 100));
    expect(waiting.length).toBeLessThanOrEqual(8);
  });
});
