/** A connection on which the device publishes, and hears nothing: its own status does not come back. */
import { describe, expect, test } from "vitest";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import { SwitchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { type BrokerEnd, messages, type Sent, TestDevice } from "./scripted-broker.ts";

const led = () => ({ led: new SwitchNoun({ key: "led" }) });

const hint = "mqtt nound/hall: the device's own status does not come back; check the broker's access control list";
const deaf = "mqtt: broker.example:1883: it delivers nothing: the device's own status does not come back";

/** The broker delivers to the device what the device has published to its own status. */
function echo(broker: BrokerEnd, packets: readonly Sent[]): void {
  for (const [topic, payload] of messages(packets)) if (topic === "nound/hall") broker.publish(topic, payload);
}

/** Connects a device, whose status comes back. */
function connectHeard(device: TestDevice, properties?: object): BrokerEnd {
  const { broker, sent } = device.connect(properties);
  echo(broker, sent);
  return broker;
}

/** @returns a device whose first connection has delivered its status, and is lost. */
function experienced(nouns: { readonly [name: string]: Noun } = led()): TestDevice {
  const device = new TestDevice(nouns, {}, { nounTimeout: 60_000 });
  connectHeard(device).peer.reset();
  device.reports.length = 0;
  return device;
}

/** Time passes, and the broker acknowledges. @returns whether the device has left it. */
function leaves(device: TestDevice, broker: BrokerEnd, time: number): boolean {
  device.pass(broker, time);
  return broker.peer.released;
}

describe("a device whose status has come back before", () => {
  test("leaves a connection on which it does not come back for 20 s, and says why", () => {
    const device = experienced();
    const { broker } = device.connect();
    expect(leaves(device, broker, 19_999)).toBe(false);
    expect(leaves(device, broker, 1)).toBe(true);
    expect(device.reports).toEqual([deaf]);
    expect(device.client.counts.isConnected).toBe(false);
  });

  test("stays where it comes back, whatever it publishes and hears then", () => {
    const device = experienced();
    const broker = connectHeard(device);
    broker.publish("nound/hall/led/put", '{"led":1}');
    expect(messages(device.pass(broker, 100))).toEqual([["nound/hall/led", '{"led":1}']]);
    expect(leaves(device, broker, 29_000)).toBe(false);
    expect(device.reports).toEqual([]);
  });

  test("takes a late will for its status, and waits for the answer to that", () => {
    const device = experienced();
    const { broker } = device.connect();
    device.pass(broker, 10_000);
    broker.publish("nound/hall", "offline");
    expect(messages(broker.settle())).toEqual([["nound/hall", "online"]]);
    expect(leaves(device, broker, 19_999)).toBe(false);
    expect(leaves(device, broker, 1)).toBe(true);
  });

  test("awaits none before the broker has granted its subscription, which a lost connection has put off", () => {
    const device = experienced();
    const lost = device.takeConnection();
    lost.send({ cmd: "connack", reasonCode: 0, sessionPresent: false });
    expect(lost.packets().map(({ cmd }) => cmd)).toEqual(["connect", "subscribe"]);
    lost.peer.end();
    const { broker, sent } = device.connect();
    expect(messages(sent)).toContainEqual(["nound/hall", "online"]);
    expect(leaves(device, broker, 25_000)).toBe(false);
    expect(device.reports).not.toContain(deaf);
  });

  test("waits for it after commands that come before it", () => {
    const device = experienced();
    const { broker } = device.connect();
    device.pass(broker, 19_000);
    broker.publish("nound/hall/led/put", '{"led":1}');
    expect(leaves(device, broker, 19_999)).toBe(false);
    expect(leaves(device, broker, 1)).toBe(true);
  });

  test("asks for a new session after a deaf one, because what that has not delivered is late", () => {
    const device = experienced();
    const { broker } = device.connect({}, { sessionPresent: true });
    device.pass(broker, 20_000);
    device.random.push(0);
    const { broker: next, sent } = device.connect();
    expect(sent[0]).toMatchObject({ clean: true });
    echo(next, sent);
    device.random.push(0);
    next.peer.reset();
    device.random.push(0);
    expect(device.takeConnection().packets()).toMatchObject([{ clean: false }]);
  });

  test("waits longer each time, and takes it for the access control list after five times", () => {
    const device = experienced();
    const waits = [0, 0, 0, 0, 0].map(() => {
      const { broker } = device.connect();
      device.random.push(0.9);
      expect(leaves(device, broker, 20_000)).toBe(true);
      const before = device.clock.now();
      device.untilAsked();
      return device.clock.now() - before;
    });
    expect(waits).toEqual([18_500, 36_500, 54_500, 54_500, 54_500]);
    expect(new Set(device.reports)).toEqual(new Set([deaf]));
    const { broker } = device.connect();
    expect(leaves(device, broker, 29_000)).toBe(false);
    expect(device.reports.at(-1)).toBe(hint);
    // It comes back later: the next one is awaited.
    broker.publish("nound/hall", "online");
    broker.peer.reset();
    expect(leaves(device, device.connect().broker, 20_000)).toBe(true);
  });

  test.each([
    ["that has no QoS 1 delivers", { maximumQoS: 0 }, 1],
    ["that refuses the subscription delivers", {}, 0x87],
    ["that grants QoS 0 delivers", {}, 0],
  ])("does not count on what a broker %s", (_name, properties, reason) => {
    const device = experienced();
    // One is awaited when this connection is lost.
    device.connect().broker.peer.reset();
    const broker = device.takeConnection();
    broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false, properties });
    const [, subscribe] = broker.packets();
    broker.send({ cmd: "suback", messageId: subscribe?.messageId, granted: [reason, 1, 1, 1] });
    expect(leaves(device, broker, 29_000)).toBe(false);
    expect(device.reports).not.toContain(hint);
  });
});

describe("a device whose status has never come back", () => {
  test("stays, and points to the access control list once", () => {
    const device = new TestDevice(led());
    const { broker } = device.connect();
    device.pass(broker, 19_999);
    expect(device.reports).toEqual([]);
    device.pass(broker, 1);
    expect(device.reports).toEqual([hint]);
    expect(leaves(device, broker, 9_000)).toBe(false);
    expect(device.reports).toEqual([hint]);
  });

  test("does not count on it at the next connection either", () => {
    const device = new TestDevice(led());
    const { broker } = device.connect();
    device.pass(broker, 25_000);
    broker.publish("nound/hall/led/put", '{"led":1}');
    broker.peer.reset();
    expect(leaves(device, device.connect().broker, 25_000)).toBe(false);
  });

  test("does not count on it after a reload", () => {
    const device = new TestDevice(led(), { resumes: true });
    const { broker } = device.connect({}, { sessionPresent: true });
    expect(leaves(device, broker, 25_000)).toBe(false);
  });
});
