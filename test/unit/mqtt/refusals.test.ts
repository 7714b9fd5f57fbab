/**
 * A broker that refuses one packet, by a reason code or by ending the connection: it is named and left out, everything
 * else goes on, and it costs two connections, and then one a minute at most. A broker that was only restarted refuses
 * nothing.
 */
import { describe, expect, test } from "vitest";
import type { State } from "../../../ts/core/noun/state.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { ValueNoun } from "../../../ts/hardware/nouns/value-noun.ts";
import { acknowledgement, LeftOut, ping } from "../../../ts/parts/mqtt/left-out.ts";
import { type BrokerEnd, messages, type Sent, TestDevice } from "./scripted-broker.ts";

const names = ["lamp", "led", "pump"];
const nouns = () => Object.fromEntries(names.map((key) => [key, new SwitchNoun({ key })]));
const everything = ["nound/hall", ...names.map((name) => `nound/hall/${name}`)];

/** What a broker does at a packet: it answers it itself, or leaves it to the usual answer. */
type Objection = (broker: BrokerEnd, packet: Sent) => boolean;

/** A broker that objects to some packets of a device, for minutes. Each packet is answered before the next is read. */
class Objector {
  readonly device: TestDevice;
  /** When each connection was made. */
  readonly connects: number[] = [];
  /** The messages that the broker took, in all connections. */
  readonly taken = new Map<unknown, string>();
  broker: BrokerEnd | undefined;
  private readonly objection: Objection;

  constructor(objection: Objection, settings: object = {}) {
    this.objection = objection;
    this.device = new TestDevice(nouns(), { spread: 0, ...settings });
  }

  /** Lets time pass, from timer to timer. */
  pass(time: number): void {
    const { clock } = this.device;
    for (const end = clock.now() + time; ; ) {
      this.look();
      if (clock.now() === end) return;
      clock.advance(Math.min(clock.nextMoment, end) - clock.now());
    }
  }

  /** Answers until the device asks for nothing more. */
  private look(): void {
    for (let isAsked = true; isAsked; isAsked = this.device.connector.questions.length > 0) this.answer();
  }

  private answer(): void {
    const { device } = this;
    if (device.connector.questions.length > 0) {
      this.broker = device.takeConnection();
      this.connects.push(device.clock.now());
    }
    const { broker } = this;
    if (broker === undefined) return;
    for (let packets = broker.packets(); packets.length > 0; packets = broker.packets()) {
      for (const packet of packets) {
        if (broker.peer.released) break;
        if (this.objection(broker, packet)) continue;
        if (packet.cmd === "publish") this.taken.set(packet.topic, String(packet.payload));
        if (packet.cmd === "connect") broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false });
        else broker.acknowledge([packet]);
      }
    }
  }

  /** @returns the most connections of any minute. */
  get mostOfMinute(): number {
    return Math.max(...this.connects.map((end) => this.connects.filter((at) => at <= end && at > end - 60_000).length));
  }

  get reports(): string {
    return this.device.reports.join("\n");
  }

  /** The device is connected, and the broker has all but one of the topics. */
  expectAllBut(topic?: string): void {
    expect(this.device.client.counts.isConnected).toBe(true);
    const rest = everything.filter((one) => one !== topic);
    expect([...this.taken.keys()].filter((one) => everything.includes(String(one))).toSorted()).toEqual(
      rest.toSorted(),
    );
  }
}

const codes = Array.from({ length: 256 }, (_, code) => code);
const isTopic = (packet: Sent, topic: string): boolean => packet.cmd === "publish" && packet.topic === topic;
const end = (broker: BrokerEnd): boolean => {
  broker.peer.end();
  return true;
};

describe("each reason code", () => {
  test("of a PUBACK names the message, and everything else goes on in the same connection", () => {
    for (const reasonCode of codes) {
      const objector = new Objector((broker, packet) => {
        if (!isTopic(packet, "nound/hall/led")) return false;
        broker.peer.send(`\x40\x03${String.fromCharCode(0, Number(packet.messageId), reasonCode)}`);
        return true;
      });
      objector.pass(30_000);
      objector.expectAllBut("nound/hall/led");
      expect(objector.connects).toHaveLength(1);
      expect(objector.reports.includes("mqtt nound/hall/led: ")).toBe(reasonCode >= 0x80);
    }
  });

  test("of a SUBACK names the filter, and everything else goes on in the same connection", () => {
    for (const reasonCode of codes) {
      const objector = new Objector((broker, packet) => {
        if (packet.cmd !== "subscribe") return false;
        const filters = (packet.subscriptions as readonly { topic: string }[]).map(({ topic }) => topic);
        const granted = filters.map((filter) =>
          filter === "nound/hall/+/put" ? String.fromCharCode(reasonCode) : "\x01",
        );
        const rest = `${String.fromCharCode(0, Number(packet.messageId))}\x00${granted.join("")}`;
        broker.peer.send(`\x90${String.fromCharCode(rest.length)}${rest}`);
        return true;
      });
      objector.pass(180_000);
      objector.expectAllBut();
      expect(objector.connects).toHaveLength(1);
      expect(objector.reports.includes("mqtt nound/hall/+/put: ")).toBe(reasonCode >= 0x80);
    }
  });

  test("of a CONNACK is told with what to do, and costs two connections, and then one a minute", () => {
    for (const reasonCode of codes.slice(1)) {
      const objector = new Objector((broker, { cmd }) => {
        if (cmd === "connect") broker.peer.send(`\x20\x03\x00${String.fromCharCode(reasonCode)}\x00`);
        return true;
      });
      objector.pass(300_000);
      // Two may follow each other at once, to leave out what the broker has not: retained messages or QoS 1.
      const extra = reasonCode === 0x9a || reasonCode === 0x9b ? 1 : 0;
      expect(objector.connects.length).toBeLessThanOrEqual(2 + 5 + extra);
      expect(objector.device.reports[0]).toMatch(/^mqtt: broker\.example:1883: .*[a-z]/);
      const known = /^mqtt: [^ ]+ (?!reason 0x)/.test(objector.device.reports[0] ?? "");
      expect(known || objector.reports.includes("see the broker's log")).toBe(true);
    }
  });

  test("of a DISCONNECT at a message names that, and everything else goes on", () => {
    for (const reasonCode of codes) {
      const objector = new Objector((broker, packet) => {
        if (!isTopic(packet, "nound/hall/led")) return false;
        broker.peer.send(`\xe0\x02${String.fromCharCode(reasonCode)}\x00`);
        broker.peer.end();
        return true;
      });
      objector.pass(30_000);
      objector.expectAllBut("nound/hall/led");
      expect(objector.connects.length).toBeLessThanOrEqual(3);
      objector.pass(570_000);
      expect(objector.mostOfMinute).toBeLessThanOrEqual(3);
      expect(objector.connects.length).toBeLessThanOrEqual(3 + 4);
      expect(objector.reports).toContain("nound/hall/led was not acknowledged, so it is left out");
    }
  });
});

describe("a close without a word", () => {
  test.each(everything)(
    "at %s costs two connections, and then one a minute at most, and everything else is there at once",
    (topic) => {
      const objector = new Objector((broker, packet) => isTopic(packet, topic) && end(broker));
      objector.pass(10_000);
      objector.expectAllBut(topic);
      // The first one may have ended by chance.
      expect(objector.connects).toHaveLength(3);
      expect(objector.reports).toContain(`${topic} was not acknowledged, so it is left out until it changes`);
      objector.pass(1_790_000);
      objector.expectAllBut(topic);
      // After 1, 3, 7 and 15 minutes it was tried again, each time in vain.
      expect(objector.connects).toHaveLength(7);
      objector.connects.splice(0, 2);
      expect(objector.mostOfMinute).toBeLessThanOrEqual(2);
    },
  );

  test("at a message ends when that changes", () => {
    const objector = new Objector(
      (broker, packet) => isTopic(packet, "nound/hall/led") && String(packet.payload) === '{"led":0}' && end(broker),
    );
    objector.pass(200_000);
    expect(objector.connects).toHaveLength(5);
    objector.broker?.publish("nound/hall/led/put", '{"led":1}');
    objector.pass(60_000);
    objector.expectAllBut();
    expect(objector.taken.get("nound/hall/led")).toBe('{"led":1}');
  });

  test("at each of several messages finds one after the other", () => {
    const refused = ["nound/hall/lamp", "nound/hall/pump"];
    const objector = new Objector((broker, packet) => refused.some((topic) => isTopic(packet, topic)) && end(broker));
    objector.pass(10_000);
    expect([...objector.taken.keys()].toSorted()).toEqual(["nound/hall", "nound/hall/led"]);
    expect(objector.connects).toHaveLength(4);
  });

  test("at a message whose predecessors were not acknowledged yet finds it in the second connection", () => {
    const unanswered: Sent[] = [];
    const objector = new Objector((broker, packet) => {
      if (packet.cmd !== "publish" || objector.connects.length > 1) {
        return isTopic(packet, "nound/hall/pump") && end(broker);
      }
      unanswered.push(packet);
      if (packet.topic === "nound/hall/pump") end(broker);
      return true;
    });
    objector.pass(10_000);
    expect(unanswered).toHaveLength(3);
    expect(objector.connects).toHaveLength(3);
    expect(objector.reports).toContain("nound/hall/pump was not acknowledged");
    objector.expectAllBut("nound/hall/pump");
  });

  test("at a message of QoS 0 is found, where the broker has no QoS 1", () => {
    const objector = new Objector((broker, packet) => {
      if (packet.cmd === "connect") {
        broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false, properties: { maximumQoS: 0 } });
        return true;
      }
      return isTopic(packet, "nound/hall/led") && end(broker);
    });
    objector.pass(10_000);
    objector.expectAllBut("nound/hall/led");
    // Only in the second one is it known what the broker has not taken.
    expect(objector.connects).toHaveLength(4);
    expect(objector.reports).toContain("nound/hall/led was not acknowledged");
  });

  test("at a SUBSCRIBE lets the device go online, and finds the filter in the second connection", () => {
    const filters = ({ subscriptions = [] }: Sent) =>
      (subscriptions as readonly { topic: string }[]).map(({ topic }) => topic);
    const granted = new Set<string>();
    const objector = new Objector((broker, packet) => {
      if (filters(packet).includes("nound/hall/+/post")) return end(broker);
      for (const filter of filters(packet)) granted.add(filter);
      return false;
    });
    objector.pass(10_000);
    objector.expectAllBut();
    expect(objector.connects).toHaveLength(3);
    expect(objector.reports).toContain("subscription nound/hall/+/post");
    expect([...granted].toSorted()).toEqual(["nound/hall", "nound/hall/+/delete", "nound/hall/+/put"]);
    objector.pass(1_790_000);
    expect(objector.connects).toHaveLength(7);
    objector.connects.splice(0, 2);
    expect(objector.mostOfMinute).toBe(1);
  });

  test("at a CONNECT is told with what to check, and costs two connections, and then one a minute", () => {
    const objector = new Objector((broker) => end(broker));
    objector.pass(300_000);
    expect(objector.connects.length).toBeLessThanOrEqual(7);
    expect(objector.reports).toContain("without an answer to CONNECT; check that the port is for MQTT 5.0");
  });

  test("at a PINGREQ is told, and no other is sent for ever longer times", () => {
    const objector = new Objector((broker, { cmd }) => cmd === "pingreq" && end(broker));
    objector.pass(1_800_000);
    objector.expectAllBut();
    expect(objector.reports).toContain("it did not answer PINGREQ");
    expect(objector.mostOfMinute).toBeLessThanOrEqual(2);
    expect(objector.connects.length).toBeLessThanOrEqual(7);
  });

  test("at the acknowledgement of a command is told, and commands then come with QoS 0", () => {
    let isSubscribedAt: unknown;
    let isAcknowledged = false;
    const command = () => objector.broker?.publish("nound/hall/led/put", '{"led":1}', { qos: 1, messageId: 7 });
    const objector = new Objector((broker, packet) => {
      if (packet.cmd === "subscribe") {
        isSubscribedAt = (packet.subscriptions as readonly { qos: number }[])[0]?.qos;
        if (isSubscribedAt === 0) {
          broker.send({ cmd: "suback", messageId: packet.messageId, granted: [0, 0, 0, 0] });
          return true;
        }
      }
      if (packet.cmd === "puback") {
        isAcknowledged = true;
        return end(broker);
      }
      if (packet.cmd === "publish" && packet.topic === "nound/hall" && isAcknowledged && isSubscribedAt === 1)
        command();
      return false;
    });
    objector.pass(5_000);
    expect(isSubscribedAt).toBe(1);
    command();
    objector.pass(15_000);
    objector.expectAllBut();
    expect(isSubscribedAt).toBe(0);
    // The broker sends it again in the second connection and in the third, and not in the fourth.
    expect(objector.connects).toHaveLength(4);
    expect(objector.reports).toContain("PUBACK, the acknowledgement of a command");
    objector.broker?.publish("nound/hall/lamp/put", '{"lamp":1}', { qos: 0 });
    objector.pass(5_000);
    expect(objector.taken.get("nound/hall/lamp")).toBe('{"lamp":1}');
  });

  test("by a broker that is away then is no refusal: everything is published when it is back", () => {
    const device = new TestDevice(nouns(), { spread: 0 });
    const broker = device.takeConnection();
    broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false });
    broker.acknowledge();
    broker.peer.end();
    device.untilAsked();
    device.connector.refuse("Connection refused");
    const published = messages(device.connect().sent).map(([topic]) => String(topic));
    expect(published.toSorted()).toEqual(everything.toSorted());
  });
});

test("a broker that acknowledges everything but one message costs one connection a minute at most", () => {
  const objector = new Objector((_, packet) => isTopic(packet, "nound/hall/led"));
  objector.pass(30_000);
  objector.expectAllBut("nound/hall/led");
  expect(objector.reports).toContain("it answers everything but one message; nound/hall/led was not acknowledged");
  objector.pass(600_000);
  expect(objector.mostOfMinute).toBeLessThanOrEqual(2);
});

test("a broker that shuts down, and so tells the device its own will first, has refused nothing", () => {
  const objector = new Objector(() => false);
  objector.pass(5_000);
  // It ends before it acknowledges the `online` with which the device answers.
  const restarted = (): void => {
    objector.broker?.publish("nound/hall", "offline", { qos: 1, messageId: 7 });
    objector.broker?.peer.end();
    objector.taken.clear();
  };
  // However often: in between, it has taken the same message.
  for (let times = 0; times < 3; times++) {
    restarted();
    objector.pass(10_000);
    objector.expectAllBut();
  }
  expect(objector.reports).not.toContain("left out");
});

test("a broker that was restarted with messages on their way has refused none of them", () => {
  let isEnding = false;
  const objector = new Objector((broker, packet) => {
    if (!isEnding || packet.cmd !== "publish") return false;
    isEnding = false;
    return end(broker);
  });
  objector.pass(5_000);
  // However often: in between, it has taken the same messages.
  for (const led of [1, 0, 1]) {
    isEnding = true;
    for (const name of ["led", "pump"]) objector.broker?.publish(`nound/hall/${name}/put`, `{"${name}":${led}}`);
    objector.pass(20_000);
    expect(objector.taken.get("nound/hall/led")).toBe(`{"led":${led}}`);
    expect(objector.taken.get("nound/hall/pump")).toBe(`{"pump":${led}}`);
  }
  expect(objector.connects).toHaveLength(4);
  expect(objector.reports).not.toContain("left out");
});

test("what was on its way is published once in the next connection, and not before it was read", () => {
  const never = new ValueNoun({ default: { n: 0 } });
  const homeAssistant = { prefix: "homeassistant", id: "hall", title: "Hall", version: "1", address: () => undefined };
  const device = new TestDevice(
    { ...nouns(), never },
    { spread: 0, homeAssistant: { ...homeAssistant, label: "hall" } },
  );
  const broker = device.takeConnection();
  broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false });
  broker.acknowledge();
  expect(messages(broker.packets())).toHaveLength(6);
  broker.peer.end();
  Object.assign(never, { getState: () => new Promise<State>(() => {}) });
  const { broker: next, sent } = device.connect();
  const all = messages([...sent, ...device.pass(next, device.server.host.limits.nounTimeout)]);
  const discovery = "homeassistant/device/hall/config";
  expect(all.map(([topic]) => topic).toSorted()).toEqual([discovery, ...everything, "nound/hall/never"].toSorted());
  expect(all.find(([topic]) => topic === "nound/hall/never")?.[1]).toBe("null");
});

test("an own status that the broker refuses is not awaited", () => {
  let isRefused = false;
  const objector = new Objector((broker, packet) => {
    if (!isTopic(packet, "nound/hall")) return false;
    if (!isRefused) broker.publish("nound/hall", "online");
    broker.send({ cmd: "puback", messageId: packet.messageId, reasonCode: isRefused ? 0x87 : 0 });
    return true;
  });
  objector.pass(5_000);
  isRefused = true;
  objector.broker?.peer.reset();
  objector.pass(120_000);
  expect(objector.connects).toHaveLength(2);
  expect(objector.reports).toContain("mqtt nound/hall: not authorized");
});

describe("what is left out", () => {
  const topic = { name: "a", payload: "1" };

  test("is tried again after times that double to an hour, another payload after a minute", () => {
    const left = new LeftOut();
    const times = Array.from({ length: 9 }, () => left.add(topic, 0) / 60_000);
    expect(times).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    const other = new LeftOut();
    for (let count = 0; count < 3; count++) other.add(topic, 0);
    expect(other.skips(topic, 60_000)).toBe(true);
    expect(other.skips({ name: "a", payload: "2" }, 59_999)).toBe(true);
    expect(other.nextTrial).toBe(60_000);
    expect(other.skips({ name: "a", payload: "2" }, 60_000)).toBe(false);
  });

  test("is bounded", () => {
    const left = new LeftOut();
    for (let index = 0; index < 1_000; index++) left.add({ name: String(index) }, index);
    const held = Array.from({ length: 1_000 }, (_, index) => left.has(String(index)));
    expect(held.filter(Boolean)).toHaveLength(64);
    expect(held.at(-1)).toBe(true);
  });

  test("is what was blamed twice, after the broker was away", () => {
    const left = new LeftOut();
    left.add({ name: ping }, 0);
    for (let count = 0; count < 2; count++) left.add({ name: acknowledgement }, 0);
    left.acquit();
    expect([left.has(ping), left.has(acknowledgement)]).toEqual([false, true]);
  });
});
