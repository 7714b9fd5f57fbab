/** A server of nouns with a client of a broker, and the broker that a test plays. Time passes when the test says so. */
import type { Packet } from "mqtt-packet";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import { openFeeds } from "../../../ts/core/server/open-feeds.ts";
import type { ServerLimits } from "../../../ts/core/server/options.ts";
import { HttpServer } from "../../../ts/core/server/server.ts";
import { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import { SimulatedConnector } from "../../../ts/native/simulated/connector.ts";
import { SimulatedInterruption } from "../../../ts/native/simulated/interruption.ts";
import { SimulatedMemory } from "../../../ts/native/simulated/memory.ts";
import { SimulatedNet, type SimulatedPeer } from "../../../ts/native/simulated/net.ts";
import { Dialer } from "../../../ts/parts/client/dialer.ts";
import { MqttClient } from "../../../ts/parts/mqtt/mqtt-client.ts";
import type { MqttSettings } from "../../../ts/parts/mqtt/mqtt-settings.ts";
import { oraclePackets, written } from "./oracle.ts";

/** A packet that the device has sent, as the oracle reads it. */
export type Sent = Packet & { readonly [field: string]: unknown };

/** The broker's end of one connection. */
export class BrokerEnd {
  readonly peer: SimulatedPeer;

  constructor(peer: SimulatedPeer) {
    this.peer = peer;
  }

  /** @returns what the device has sent since the last call. */
  packets(): Sent[] {
    return oraclePackets(this.peer.take()) as Sent[];
  }

  send(packet: object): void {
    this.peer.send(written(packet));
  }

  /** Publishes a message to the device. */
  publish(topic: string, payload: string | Buffer, more: object = {}): void {
    this.send({ cmd: "publish", topic, payload, qos: 0, retain: false, dup: false, ...more });
  }

  /** Answers each SUBSCRIBE and PINGREQ of some packets, and acknowledges each message of QoS 1. @returns the packets. */
  acknowledge(packets = this.packets()): Sent[] {
    for (const { cmd, messageId, qos, subscriptions } of packets) {
      if (cmd === "subscribe") {
        this.send({ cmd: "suback", messageId, granted: (subscriptions as readonly unknown[]).map(() => 1) });
      } else if (cmd === "publish" && qos === 1) {
        this.send({ cmd: "puback", messageId, reasonCode: 0 });
      } else if (cmd === "pingreq") {
        this.send({ cmd: "pingresp" });
      }
    }
    return packets;
  }

  /** Acknowledges until the device sends nothing more. @returns all that it has sent. */
  settle(): Sent[] {
    const all: Sent[] = [];
    for (let some = this.acknowledge(); some.length > 0; some = this.acknowledge()) all.push(...some);
    return all;
  }
}

/** @returns the messages among packets, as topic and text. */
export function messages(packets: readonly Sent[]): (readonly [topic: unknown, payload: string])[] {
  return packets.filter(({ cmd }) => cmd === "publish").map(({ topic, payload }) => [topic, String(payload)]);
}

const usual: MqttSettings = {
  brokers: ["broker.example:1883"],
  id: "hall",
  prefix: "nound",
  groups: [],
  allows: () => true,
  keepAlive: 30,
  spread: 10_000,
  interval: 0,
};

export class TestDevice {
  readonly clock = new SimulatedClock();
  readonly net = new SimulatedNet();
  readonly connector = new SimulatedConnector();
  readonly server: HttpServer;
  readonly client: MqttClient;
  /** What was reported: what, and why. */
  readonly reports: string[] = [];
  /** A problem of the device. */
  problem: string | undefined;
  /** How often code was freed. */
  forgets = 0;
  /** What came of commands. */
  readonly log: string[] = [];
  /** The next random numbers; 0.5 when there are no more. */
  readonly random: number[] = [];

  constructor(
    nouns: { readonly [name: string]: Noun },
    settings: Partial<MqttSettings> = {},
    limits: Partial<ServerLimits> = {},
    random: readonly number[] = [],
  ) {
    this.random.push(...random);
    const { clock, net } = this;
    const platform = { net, clock, interruption: new SimulatedInterruption(), memory: new SimulatedMemory() };
    this.server = new HttpServer(platform, { limits });
    for (const [name, noun] of Object.entries(nouns)) this.server.register(name, noun);
    const chosen = { ...usual, ...settings };
    this.connector.start(chosen.brokers, () => {});
    this.client = new MqttClient(chosen, {
      clock,
      connector: new Dialer(clock, this.connector),
      random: () => this.random.shift() ?? 0.5,
      forget: () => {
        this.forgets++;
      },
      nouns: this.server.nouns,
      feeds: openFeeds(this.server.host),
      limits: this.server.host.limits,
      accepted: () => this.problem,
      report: (what, description) => this.reports.push(`${what}: ${description}`),
      log: (peer, verb, noun, { status }) => this.log.push(`${peer} ${verb} ${noun} ${status}`),
    });
  }

  /** Lets time pass until the device asks for a connection. */
  untilAsked(): void {
    for (let steps = 0; this.connector.questions.length === 0; steps++) {
      if (steps > 1_000 || this.clock.nextMoment === Number.POSITIVE_INFINITY)
        throw new Error("The device does not connect.");
      this.clock.advance(this.clock.nextMoment - this.clock.now());
    }
  }

  /** Takes the next connection. */
  takeConnection(): BrokerEnd {
    this.untilAsked();
    return new BrokerEnd(this.connector.accept());
  }

  /**
   * Takes the next connection, and lets the device in.
   * @returns the broker's end, and what the device has sent until it was online.
   */
  connect(
    properties: object = {},
    connack: object = {},
  ): { readonly broker: BrokerEnd; readonly sent: readonly Sent[] } {
    const broker = this.takeConnection();
    const first = broker.packets();
    broker.send({ cmd: "connack", reasonCode: 0, sessionPresent: false, properties, ...connack });
    return { broker, sent: [...first, ...this.pass(broker, 0)] };
  }

  /** Lets time pass, with the broker's acknowledgements. @returns what the device has sent. */
  pass(broker: BrokerEnd, time: number): Sent[] {
    const sent: Sent[] = [];
    for (const end = this.clock.now() + time; ; ) {
      sent.push(...broker.settle());
      const next = Math.min(this.clock.nextMoment, end);
      this.clock.advance(next - this.clock.now());
      if (next === end && this.clock.nextMoment > end) return [...sent, ...broker.settle()];
    }
  }
}
