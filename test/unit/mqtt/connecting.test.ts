/** When and where a device connects to its broker, and how a connection begins and ends. */
import { describe, expect, test } from "vitest";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { DeferredNoun, promisesKept, RecordingNoun } from "../server/recording-noun.ts";
import { type BrokerEnd, messages, type Sent, TestDevice } from "./scripted-broker.ts";

const led = () => ({ led: new SwitchNoun({ key: "led" }) });

const commands = (packets: readonly Sent[]): readonly unknown[] => packets.map(({ cmd }) => cmd);

/** @returns the filters of each SUBSCRIBE among packets. */
function subscribed(packets: readonly Sent[]): readonly (readonly string[])[] {
  const subscribes = packets.filter(({ cmd }) => cmd === "subscribe");
  return subscribes.map(({ subscriptions }) =>
    (subscriptions as readonly { topic: string }[]).map(({ topic }) => topic),
  );
}

/** @returns ms until the device asks for a connection. */
function waited(device: TestDevice): number {
  const before = device.clock.now();
  device.untilAsked();
  return device.clock.now() - before;
}

/** Lets a device in, and refuses its second filter. */
function refuse(broker: BrokerEnd, reason: number): void {
  broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false });
  const { messageId } = broker.packets().find(({ cmd }) => cmd === "subscribe") ?? {};
  broker.send({ cmd: "suback", messageId, granted: [1, reason, 1, 1] });
}

describe("the first connect", () => {
  test.each([
    [0, 0],
    [0.5, 5_000],
    [0.999, 9_990],
  ])("comes after a random part (%s) of ten seconds", (random, wait) => {
    const device = new TestDevice(led(), {}, {}, [random]);
    expect(device.connector.questions).toEqual([]);
    expect(waited(device)).toBe(wait);
  });

  test("asks for a new session, which ends 15 s after the connection, and for the will 10 s after it", () => {
    const device = new TestDevice(led(), { user: "hall", password: "secret" });
    const [connect] = device.takeConnection().packets();
    expect(connect).toMatchObject({
      cmd: "connect",
      protocolVersion: 5,
      clientId: "hall",
      clean: true,
      keepalive: 30,
      username: "hall",
      password: Buffer.from("secret"),
      properties: { sessionExpiryInterval: 15, receiveMaximum: 16, maximumPacketSize: 65_536 },
      will: {
        topic: "nound/hall",
        payload: Buffer.from("offline"),
        qos: 1,
        retain: true,
        properties: { willDelayInterval: 10 },
      },
    });
  });

  test("accepts packets that are long enough for a whole state", () => {
    const device = new TestDevice(led(), {}, { bodyBytes: 100_000 });
    const [connect] = device.takeConnection().packets();
    expect(connect).toMatchObject({ properties: { maximumPacketSize: 101_024 } });
  });

  test("subscribes before it publishes, and says that it is online last", () => {
    const device = new TestDevice({ ...led(), "relay.1": new SwitchNoun({ key: "on", default: 1 }) });
    const { sent } = device.connect();
    expect(commands(sent)).toEqual(["connect", "subscribe", "publish", "publish", "publish"]);
    expect(sent.slice(2)).toMatchObject(
      [
        ["nound/hall/led", '{"led":0}'],
        ["nound/hall/relay:1", '{"on":1}'],
        ["nound/hall", "online"],
      ].map(([topic, payload]) => ({ topic, payload: Buffer.from(payload ?? ""), qos: 1, retain: true })),
    );
    expect(device.client.counts).toEqual({ isConnected: true, connects: 1, received: 0, sent: 3 });
  });

  test("publishes nothing before its subscriptions are answered", () => {
    const device = new TestDevice(led());
    const broker = device.takeConnection();
    broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false });
    expect(commands(broker.packets())).toEqual(["connect", "subscribe"]);
    device.clock.advance(1_000);
    expect(broker.packets()).toEqual([]);
  });
});

describe("the subscriptions", () => {
  test("are the device's status and its commands, eight in a packet", () => {
    const device = new TestDevice(led(), { groups: ["lamps", "all"] });
    const { sent } = device.connect();
    const subscribes = sent.filter(({ cmd }) => cmd === "subscribe");
    const topics = subscribes.map(({ subscriptions }) =>
      (subscriptions as readonly { topic: string }[]).map(({ topic }) => topic),
    );
    expect(topics.map(({ length }) => length)).toEqual([8, 2]);
    expect(topics.flat()).toEqual([
      "nound/hall",
      ...["hall", "lamps", "all"].flatMap((name) => ["put", "post", "delete"].map((verb) => `nound/${name}/+/${verb}`)),
    ]);
  });

  test("lack a verb that is allowed on no noun", () => {
    const device = new TestDevice(led(), { allows: (verb) => verb === "GET" || verb === "PUT" });
    const [, subscribe] = device.connect().sent;
    expect(subscribe).toMatchObject({ subscriptions: [{ topic: "nound/hall" }, { topic: "nound/hall/+/put" }] });
  });

  test.each([
    [0x87, "not authorized; check the broker's access control list"],
    [0x8f, "it does not accept a topic filter; check the broker's access control list"],
    [0x9e, "it does not support shared subscriptions"],
    [0xa1, "it does not support subscription identifiers"],
    [0xa2, "it does not support wildcards"],
  ])("that the broker refuses for good (%s) are reported, and the device goes on", (reason, text) => {
    const device = new TestDevice(led());
    const broker = device.takeConnection();
    refuse(broker, reason);
    expect(messages(broker.settle()).at(-1)).toEqual(["nound/hall", "online"]);
    expect(device.reports).toEqual([`mqtt nound/hall/+/put: ${text}`]);
  });

  test.each([
    [0x80, "it does not say why"],
    [0x83, "for a reason of its own"],
    [0x91, "it takes the number of a packet for one in use"],
    [0x97, "a quota is exceeded"],
    [0xee, "reason 0xee; see its log"],
  ])(
    "that the broker refuses for now (%s) are asked for at another address at once, and then each minute",
    (reason, text) => {
      const device = new TestDevice(led(), { brokers: ["a:1", "b:1"] });
      const other = device.takeConnection();
      refuse(other, reason);
      expect(other.peer.released).toBe(true);
      expect(device.reports).toEqual([`mqtt: b:1: it refuses the subscription to nound/hall/+/put: ${text}`]);
      const broker = device.takeConnection();
      refuse(broker, reason);
      expect(messages(broker.settle()).at(-1)).toEqual(["nound/hall", "online"]);
      expect(device.reports.slice(1)).toEqual([`mqtt nound/hall/+/put: ${text}`]);
      expect(subscribed(device.pass(broker, 60_000))).toEqual([["nound/hall/+/put"]]);
      // It is granted.
      expect(subscribed(device.pass(broker, 600_000))).toEqual([]);
      expect(device.client.counts).toMatchObject({ isConnected: true, connects: 2 });
    },
  );

  test("that the broker refuses again and again are asked for in the same connection, in ever longer intervals", () => {
    const device = new TestDevice(led());
    const broker = device.takeConnection();
    refuse(broker, 0x80);
    broker.settle();
    const start = device.clock.now();
    const moments: number[] = [];
    while (device.clock.now() - start < 1_800_000) {
      device.clock.advance(1_000);
      const packets = broker.packets();
      broker.acknowledge(packets.filter(({ cmd }) => cmd !== "subscribe"));
      for (const { cmd, messageId } of packets) {
        if (cmd !== "subscribe") continue;
        moments.push((device.clock.now() - start) / 60_000);
        broker.send({ cmd: "suback", messageId, granted: [0x80] });
      }
    }
    expect(moments).toEqual([1, 3, 7, 15]);
    expect(device.client.counts.connects).toBe(1);
  });

  test("have no wildcards where the broker has none", () => {
    const device = new TestDevice(led(), { allows: (verb) => verb !== "POST" && verb !== "DELETE" });
    const { sent } = device.connect({ wildcardSubscriptionAvailable: false });
    expect(sent[1]).toMatchObject({ subscriptions: [{ topic: "nound/hall" }] });
    expect(device.reports).toEqual(["mqtt nound/hall/+/put: it does not support wildcards"]);
  });
});

describe("a lost connection", () => {
  test("is taken up again with its session, within 15 s", () => {
    const device = new TestDevice(led());
    const { broker } = device.connect();
    broker.peer.reset();
    device.random.push(0.1);
    const [connect] = device.takeConnection().packets();
    expect(connect).toMatchObject({ clean: false });
  });

  test("is not, after 15 s: what was sent meanwhile is not executed", () => {
    const device = new TestDevice(led());
    const { broker } = device.connect();
    device.clock.advance(100);
    broker.peer.reset();
    device.untilAsked();
    device.connector.refuse("Connection refused");
    device.untilAsked();
    device.clock.advance(10_000);
    const [connect] = device.takeConnection().packets();
    expect(connect).toMatchObject({ clean: true });
  });

  test("makes the device publish everything again, whatever session the broker has", () => {
    const device = new TestDevice(led());
    device.connect().broker.peer.reset();
    device.random.push(0);
    const { sent } = device.connect({}, { sessionPresent: true });
    expect(commands(sent)).toEqual(["connect", "subscribe", "publish", "publish"]);
  });

  test("is reported with its reason, and the second one at a message with that", () => {
    const device = new TestDevice(led());
    const refuse = (): void => {
      const broker = device.takeConnection();
      broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false });
      broker.acknowledge();
      expect(messages(broker.packets())[0]).toEqual(["nound/hall/led", '{"led":0}']);
      broker.peer.end();
    };
    refuse();
    expect(device.reports).toEqual(["mqtt: broker.example:1883: it has closed the connection"]);
    refuse();
    expect(device.reports.slice(1)).toEqual([
      "mqtt nound/hall/led: broker.example:1883: it has closed the connection; nound/hall/led was not acknowledged, " +
        "so it is left out until it changes, or for a minute; check the broker's access control list and its limit " +
        "for the size of a message, 9 bytes here",
    ]);
  });

  test.each(["end", "reset"] as const)("may be another client's doing, if the next one is lost as soon: %s", (way) => {
    const device = new TestDevice(led());
    const lost = expect.stringMatching(/^mqtt: broker.example:1883: (?:it has closed the connection|the.*is broken)$/);
    device.connect().broker.peer[way]();
    expect(device.reports).toEqual([lost]);
    device.connect().broker.peer[way]();
    expect(device.reports.slice(1)).toEqual([
      lost,
      "mqtt id: the broker closes each connection soon; perhaps another client has the same id, hall",
    ]);
  });

  test("is no hint of another client, if the broker refuses connections in between: it was away", () => {
    const device = new TestDevice(led());
    for (let count = 0; count < 5; count++) {
      device.connect().broker.peer.reset();
      device.untilAsked();
      device.connector.refuse("Connection refused");
    }
    expect(device.reports.join()).not.toContain("another client");
  });
});

describe("a refused connect", () => {
  test.each([
    ["0x86", 0x86],
    ["0x87, as mosquitto does", 0x87],
  ])("of a wrong password is logged as that, whether the broker says %s", (_, reasonCode) => {
    const device = new TestDevice(led());
    device.takeConnection().send({ cmd: "connack", reasonCode, sessionPresent: false });
    expect(device.reports).toEqual([expect.stringMatching(/: the user or the password is wrong$/)]);
  });

  test("of the will's topic names the access control list, as ejabberd refuses a device with another's topics", () => {
    const device = new TestDevice(led());
    device.takeConnection().send({ cmd: "connack", reasonCode: 0x90, sessionPresent: false });
    expect(device.reports).toEqual([
      expect.stringMatching(/: it does not accept a topic; check the broker's access control list$/),
    ]);
  });
});

describe("the wait before the next connect", () => {
  test("is random, and grows to a minute while connects fail", () => {
    const device = new TestDevice(led());
    const waits = [0, 1, 2, 3, 4, 5].map(() => {
      const wait = waited(device);
      device.random.push(0.999);
      device.connector.refuse("Connection refused");
      return wait;
    });
    expect(waits).toEqual([5_000, 9_990, 19_985, 39_965, 59_945, 59_945]);
  });

  test("stays long after a connection that was lost within a minute, and is short after a longer one", () => {
    const device = new TestDevice(led());
    const waits = [0, 0, 0].map(() => {
      const { broker } = device.connect();
      device.random.push(0.9);
      broker.peer.reset();
      return waited(device);
    });
    expect(waits).toEqual([9_000, 18_500, 36_500]);
    const { broker } = device.connect();
    device.pass(broker, 20_000);
    for (let time = 0; time < 60_000; time += 10_000) {
      device.clock.advance(10_000);
      if (broker.acknowledge().some(({ cmd }) => cmd === "pingreq")) broker.send({ cmd: "pingresp" });
    }
    device.random.push(0.9);
    broker.peer.reset();
    expect(waited(device)).toBe(9_000);
  });

  test.each([
    [2_000, [1_000, 1_998, 3_997, 7_993, 15_985, 31_969, 59_941]],
    [600_000, [300_000, 59_940, 60_000]],
    [0, [0, 0, 1_000, 1_000]],
  ])("is at first as long as spread says: %s", (spread, expected) => {
    const device = new TestDevice(led(), { spread });
    const waits = expected.map(() => {
      const wait = waited(device);
      device.random.push(0.999);
      device.connector.refuse("Connection refused");
      return wait;
    });
    expect(waits).toEqual(expected);
  });

  test("costs no more than one CONNECT a second", () => {
    const device = new TestDevice(led(), { brokers: ["a:1", "b:1", "c:1"] });
    const moments = [0, 1, 2].map(() => {
      const broker = device.takeConnection();
      broker.send({ cmd: "connack", reasonCode: 0x87, sessionPresent: false });
      return device.clock.now();
    });
    expect(moments.map((moment) => moment - (moments[0] ?? 0))).toEqual([0, 1_000, 2_000]);
  });
});

describe("several addresses", () => {
  const brokers = ["a:1", "b:1", "c:1"];

  test("are tried in turn from a random one, each for 5 s", () => {
    const device = new TestDevice(led(), { brokers });
    const peers = [0, 1, 2].map(() => {
      const { peer } = device.takeConnection();
      expect(peer.released).toBe(false);
      device.clock.advance(4_999);
      expect(peer.released).toBe(false);
      device.clock.advance(1);
      expect(peer.released).toBe(true);
      return device.reports.at(-1);
    });
    expect(peers).toEqual(["b", "c", "a"].map((name) => `mqtt: ${name}:1: it does not answer`));
  });

  test("are tried once more without the session, where a broker that has it does not answer", () => {
    const device = new TestDevice(led(), { brokers });
    device.connect().broker.peer.reset();
    device.random.push(0);
    const clean: unknown[] = [];
    for (let count = 0; count < 6; count++) {
      const [connect] = device.takeConnection().packets();
      clean.push(connect?.["clean"]);
      device.clock.advance(5_000);
    }
    expect(clean.slice(0, 2)).toEqual([false, false]);
    expect(clean.slice(3)).toEqual([true, true, true]);
  });

  test.each([
    ["shuts down", 0x8b],
    ["names another server", 0x9c],
    ["has moved", 0x9d],
  ])("are tried at once when a broker %s", (_name, reasonCode) => {
    const device = new TestDevice(led(), { brokers });
    const { broker } = device.connect();
    device.clock.advance(2_000);
    broker.settle();
    broker.send({ cmd: "disconnect", reasonCode });
    // The random number chose the second address before.
    expect(device.connector.questions.map(({ target }) => target)).toEqual([2]);
  });
});

describe("what a broker does not have", () => {
  test("is left out of the next CONNECT, after a refusal for it", () => {
    const device = new TestDevice(led());
    device.takeConnection().send({ cmd: "connack", reasonCode: 0x9a, sessionPresent: false });
    const second = device.takeConnection();
    expect(second.packets()).toMatchObject([{ will: { retain: false, qos: 1 } }]);
    second.send({ cmd: "connack", reasonCode: 0x9b, sessionPresent: false });
    expect(device.takeConnection().packets()).toMatchObject([{ will: { retain: false, qos: 0 } }]);
    expect(device.reports).toEqual([]);
  });

  test("is told once, and states are published with as much as it has", () => {
    const device = new TestDevice(led());
    const { sent } = device.connect({ maximumQoS: 0, retainAvailable: false });
    expect(sent.slice(2)).toMatchObject([
      { topic: "nound/hall/led", qos: 0, retain: false },
      { topic: "nound/hall", qos: 0, retain: false },
    ]);
    expect(device.reports).toEqual([
      "mqtt QoS: the broker does not have QoS 1: states are published with QoS 0",
      "mqtt retain: the broker retains nothing: a new subscriber gets a state only when it changes",
    ]);
  });
});

describe("silence", () => {
  test("is broken by a PINGREQ, and ends the connection 20 s after one that is not answered", () => {
    const device = new TestDevice(led());
    const { broker } = device.connect();
    device.clock.advance(29_999);
    expect(broker.packets()).toEqual([]);
    device.clock.advance(1);
    expect(commands(broker.packets())).toEqual(["pingreq"]);
    broker.send({ cmd: "pingresp" });
    device.clock.advance(30_000);
    expect(commands(broker.packets())).toEqual(["pingreq"]);
    device.clock.advance(19_999);
    expect(broker.peer.released).toBe(false);
    device.clock.advance(1);
    expect(broker.peer.released).toBe(true);
    expect(device.reports.at(-1)).toBe("mqtt: broker.example:1883: it does not answer");
  });

  test("are sent in time after each answer, also with the shortest keep alive", () => {
    const device = new TestDevice(led(), { keepAlive: 5 });
    const { broker } = device.connect();
    for (let count = 0; count < 10; count++) {
      device.clock.advance(5_000);
      expect(commands(broker.packets())).toEqual(["pingreq"]);
      broker.send({ cmd: "pingresp" });
    }
  });

  test("is as long as the broker says", () => {
    const device = new TestDevice(led());
    const { broker } = device.connect({ serverKeepAlive: 7 });
    device.clock.advance(7_000);
    expect(commands(broker.packets())).toEqual(["pingreq"]);
  });

  test("of a broker that does not acknowledge a message ends the connection after 20 s", () => {
    const device = new TestDevice(led());
    const broker = device.takeConnection();
    broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false });
    broker.acknowledge();
    device.clock.advance(19_999);
    expect(broker.peer.released).toBe(false);
    device.clock.advance(1);
    expect(broker.peer.released).toBe(true);
  });

  test("of a broker that does not answer a SUBSCRIBE ends the connection after 20 s", () => {
    const device = new TestDevice(led());
    const broker = device.takeConnection();
    broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false });
    device.clock.advance(20_000);
    expect(broker.peer.released).toBe(true);
  });
});

describe("a device that stood still", () => {
  test("leaves the broker before it reads on, and takes the session with what waits in it not up again", () => {
    const noun = new RecordingNoun({});
    const device = new TestDevice({ led: noun });
    const { broker } = device.connect();
    noun.calls.length = 0;
    device.client.onStandstill(7_000);
    broker.publish("nound/hall/led/put", "{}");
    expect(noun.calls).toEqual([]);
    expect(broker.peer.released).toBe(true);
    expect(device.reports).toEqual(["mqtt: broker.example:1883: the device stood still for 7 s"]);
    expect(device.takeConnection().packets()).toMatchObject([{ cmd: "connect", clean: true }]);
  });

  test("does not begin commands that had waited", async () => {
    const noun = new DeferredNoun();
    const device = new TestDevice({ slow: noun }, { allows: (verb) => verb !== "GET" });
    const { broker } = device.connect();
    for (let count = 0; count < 3; count++) broker.publish("nound/hall/slow/put", "{}");
    device.client.onStandstill(7_000);
    await noun.begun[0]?.answer({});
    await promisesKept();
    expect(noun.begun).toHaveLength(1);
  });

  test("while it is not connected drops the session of the last connection, too", () => {
    const device = new TestDevice(led());
    device.connect().broker.peer.reset();
    device.client.onStandstill(7_000);
    expect(device.takeConnection().packets()).toMatchObject([{ cmd: "connect", clean: true }]);
  });
});

describe("a broker that breaks the rules", () => {
  test.each([
    ["a session that was to be dropped", { cmd: "connack", reasonCode: 0, sessionPresent: true }],
    ["a message before it accepts the device", { cmd: "publish", topic: "a", payload: "", qos: 0 }],
  ])("is left: %s", (_name, packet) => {
    const device = new TestDevice(led());
    const broker = device.takeConnection();
    broker.packets();
    broker.send(packet);
    expect(broker.packets()).toMatchObject([{ cmd: "disconnect", reasonCode: 0x82 }]);
    expect(broker.peer.released).toBe(true);
  });

  test.each([
    ["an acknowledgement for nothing", "\x40\x02\x12\x34", 0x82],
    ["a second CONNACK", "\x20\x03\x00\x00\x00", 0x82],
    ["a SUBACK for nothing", "\x90\x04\x12\x34\x00\x01", 0x82],
    ["a malformed packet", "\x36\x06\x00\x01a\x00\x01\x00", 0x81],
  ])("is left: %s", (_name, bytes, reasonCode) => {
    const device = new TestDevice(led());
    const { broker } = device.connect();
    broker.peer.send(bytes);
    expect(broker.packets()).toMatchObject([{ cmd: "disconnect", reasonCode }]);
    expect(broker.peer.released).toBe(true);
    expect(messages(device.connect().sent).at(-1)).toEqual(["nound/hall", "online"]);
  });
});

describe("the connector", () => {
  test("that does not answer is given up, and a late answer is closed", () => {
    const device = new TestDevice(led());
    device.untilAsked();
    device.clock.advance(12_000);
    expect(device.reports).toEqual(["mqtt: broker.example:1883: it cannot be reached in time"]);
    const late = device.connector.accept();
    expect(late.released).toBe(true);
    expect(messages(device.connect().sent).at(-1)).toEqual(["nound/hall", "online"]);
  });

  test("that has ended is reported, and a connection goes on", () => {
    const device = new TestDevice(led());
    const { broker } = device.connect();
    device.connector.die();
    device.pass(broker, 1_000);
    expect(broker.peer.released).toBe(false);
    broker.peer.reset();
    device.clock.advance(60_000);
    expect(device.reports.at(-1)).toBe("mqtt: broker.example:1883: the connector has ended");
  });
});

describe("the end of the program", () => {
  test("publishes offline, and ends the session when the broker has it", async () => {
    const device = new TestDevice(led());
    const { broker } = device.connect();
    let isOver = false;
    const closing = device.client.close().then(() => {
      isOver = true;
    });
    const sent = broker.packets();
    expect(messages(sent)).toEqual([["nound/hall", "offline"]]);
    // The device has subscribed to its own status.
    broker.publish("nound/hall", "offline");
    expect(broker.packets()).toEqual([]);
    await Promise.resolve();
    expect(isOver).toBe(false);
    broker.acknowledge(sent);
    await closing;
    expect(broker.packets()).toMatchObject([
      { cmd: "disconnect", reasonCode: 0, properties: { sessionExpiryInterval: 0 } },
    ]);
    expect(device.clock.running).toBe(0);
  });

  test("waits a second at most", async () => {
    const device = new TestDevice(led());
    const { broker } = device.connect();
    const closing = device.client.close();
    broker.packets();
    device.clock.advance(1_000);
    await closing;
    expect(broker.packets()).toMatchObject([{ cmd: "disconnect" }]);
  });

  test("waits for nothing without a session", async () => {
    const device = new TestDevice(led());
    await device.client.close();
    expect(device.clock.running).toBe(0);
    const other = new TestDevice(led());
    other.untilAsked();
    await other.client.close();
    expect(other.connector.accept().released).toBe(true);
  });
});

test("an offline that somebody else has published is answered by online", () => {
  const device = new TestDevice(led());
  const { broker } = device.connect();
  broker.publish("nound/hall", "offline");
  expect(messages(broker.settle())).toEqual([["nound/hall", "online"]]);
  broker.publish("nound/hall", "online");
  expect(broker.settle()).toEqual([]);
});

test.each(Array.from({ length: 12 }, (_, index) => index))(
  "a device connects again, although there was no memory for a timer after %s others",
  (before) => {
    const device = new TestDevice(led());
    const { clock } = device;
    const setTimer = clock.setTimer.bind(clock);
    let count = 0;
    clock.setTimer = (callback, delay) => {
      if (count++ === before) throw new Error("out of memory");
      return setTimer(callback, delay);
    };
    /** Does a step as the loop does: an error that it throws is reported, and the loop goes on. */
    const attempt = (step: () => void): void => {
      try {
        step();
      } catch (error) {
        expect(String(error)).toBe("Error: out of memory");
      }
    };
    for (let session = 0; session < 3; session++) {
      for (let steps = 0; device.connector.questions.length === 0 && steps < 100; steps++) {
        attempt(() => clock.advance(10_000));
      }
      expect(device.connector.questions.length).toBeGreaterThan(0);
      attempt(() => device.connector.refuse("refused"));
      for (let steps = 0; device.connector.questions.length === 0 && steps < 100; steps++) {
        attempt(() => clock.advance(10_000));
      }
      attempt(() => device.takeConnection().peer.end());
    }
    expect(count).toBeGreaterThan(before);
  },
);
