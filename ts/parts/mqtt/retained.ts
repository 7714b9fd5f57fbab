/**
 * Clears what a broker retains of a device. The device does not serve meanwhile: this client has its id.
 *
 *     await forgetRetained({ server: "broker:1883" }, { id }, ["lamp"]); // ["nound/hall", "nound/hall/lamp"]
 */
import { Alarm } from "../../core/time/alarm.ts";
import type { Socket, SocketHandler } from "../../native/net.ts";
import { loop } from "../../platform/platform.ts";
import { connect, numberOf } from "../client/connections.ts";
import type { DeviceOptions } from "../documents/part.ts";
import { keptTopic, settingsOf } from "./mqtt.ts";
import type { MqttOptions } from "./mqtt-settings.ts";
import { type Packet, PacketReader } from "./packet-reader.ts";
import { writeConnect, writeDisconnect, writePuback, writePublish, writeSubscribe } from "./packet-writer.ts";
import { connackText } from "./reason-texts.ts";
import { Topics } from "./topics.ts";

/** ms that a connection to a broker may take. */
const connectTime = 10_000;

/** ms that a broker may take for an answer. */
const patience = 5_000;

/** ms after which a broker has sent what it retains: no packet says so. */
const quiet = 500;

/** What to clear. */
export interface Clearing {
  readonly clientId: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The first levels of the device's topics, `nound/hall`: what is below it goes too. */
  readonly base: string;
  /** Topics that may have a retained message. */
  readonly topics: readonly string[];
}

/** @param reason why not all was cleared; undefined if all was. @param cleared the topics that had a message. */
type Done = (reason: string | undefined, cleared: readonly string[]) => void;

class Clearer implements SocketHandler {
  private readonly socket: Socket;
  private readonly clearing: Clearing;
  private readonly done: Done;
  private readonly reader = new PacketReader({ packetBytes: 65_536, payloadBytes: 0 });
  private readonly alarm = new Alarm(loop, () => this.rang());
  private readonly waiting: string[];
  /** Those that the broker has sent, because it retains something there. */
  private readonly found = new Set<string>();
  /** Whether the broker has answered the subscription, and begun to send what it retains. */
  private isListening = false;
  /** Whether it has waited for that, and clears one topic after the other. */
  private isClearing = false;
  private hasEnded = false;

  constructor(socket: Socket, clearing: Clearing, done: Done) {
    this.socket = socket;
    this.clearing = clearing;
    this.done = done;
    this.waiting = [...clearing.topics];
    socket.handler = this;
    const will = { topic: clearing.base, payload: "", qos: 1, retain: true } as const;
    socket.writeBytes(
      writeConnect({
        ...{ clientId: clearing.clientId, user: clearing.user, password: clearing.password, will },
        ...{ cleanStart: true, keepAlive: 30, willDelay: 0, sessionExpiry: 0 },
        ...{ receiveMaximum: 65_535, maximumPacketSize: 65_536 },
      }),
    );
    this.alarm.move(loop.now() + patience);
  }

  onBytes(bytes: string): void {
    this.reader.feed(bytes);
    try {
      for (let packet = this.reader.next(); packet !== undefined && !this.hasEnded; packet = this.reader.next()) {
        this.take(packet);
      }
    } catch {
      this.end("the broker does not speak MQTT 5.0");
    }
  }

  onEnd(): void {
    this.end("the broker has closed the connection");
  }

  onDrain(): void {}

  onGone(): void {
    this.end("the broker has closed the connection");
  }

  private take(packet: Packet): void {
    switch (packet.type) {
      case "connack":
        if (packet.reason !== 0) this.end(`the broker refuses the device: ${connackText(packet.reason)}`);
        else this.subscribe();
        break;
      case "publish":
        if (packet.qos === 1) this.socket.writeBytes(writePuback(packet.id));
        if (packet.retain) this.found.add(packet.topic);
        if (packet.retain && !this.waiting.includes(packet.topic)) this.waiting.push(packet.topic);
        if (this.isListening && !this.isClearing) this.alarm.move(loop.now() + quiet);
        break;
      case "suback":
        // A broker that refuses it has the topics that are known.
        this.isListening = true;
        this.alarm.move(loop.now() + quiet);
        break;
      case "puback":
        if (packet.reason >= 0x80) this.end(`the broker does not let the device clear ${this.waiting[0]}`);
        else {
          this.waiting.shift();
          this.clearNext();
        }
        break;
      case "disconnect":
        this.end("the broker has closed the connection");
        break;
      case "pingresp":
        break;
    }
  }

  /** Asks for what the broker retains: below the device's topic, and of each other topic. */
  private subscribe(): void {
    const { base, topics } = this.clearing;
    const filters = [`${base}/#`, ...topics.filter((topic) => topic !== base && !topic.startsWith(`${base}/`))];
    const packets = filters.map((filter, at) => writeSubscribe(at + 1, [filter], filter));
    this.socket.writeBytes(packets.join(""));
  }

  private rang(): void {
    if (!this.isListening || this.isClearing) this.end("the broker does not answer");
    else this.clearNext();
  }

  private clearNext(): void {
    this.isClearing = true;
    const [topic] = this.waiting;
    if (topic === undefined) {
      this.socket.writeBytes(writeDisconnect(0, 0));
      this.end(undefined);
      return;
    }
    this.alarm.move(loop.now() + patience);
    this.socket.writeBytes(writePublish({ topic, payload: "", qos: 1, retain: true }, 1));
  }

  private end(reason: string | undefined): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.alarm.stop();
    this.socket.finish();
    this.socket.close();
    this.done(reason, [...this.found]);
  }
}

/** @returns a promise of the topics that had a message. It rejects with an Error that says why not all are clear. */
function clearAt(broker: number, clearing: Clearing): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => reject(new Error(reason));
    // While it waits for the connector alone, the program would end.
    const wait = new Alarm(loop, () => fail("the connector does not answer"));
    wait.set(loop.now() + 2 * connectTime);
    connect(broker, connectTime, (socket, reason) => {
      wait.stop();
      if (socket === undefined) fail(reason);
      else new Clearer(socket, clearing, (why, cleared) => (why === undefined ? resolve(cleared) : fail(why)));
    });
  });
}

/**
 * Clears what the device's broker retains of it: states, status, the announcement to Home Assistant, and all else below
 * the device's topic. To be called while no nound serves the device.
 * @param nouns their names. @returns a promise of the topics that had a message; an Error says why not all are clear.
 */
export async function forgetRetained(
  options: MqttOptions,
  device: DeviceOptions,
  nouns: readonly string[],
): Promise<readonly string[]> {
  const { brokers, id, prefix, user, password, homeAssistant } = settingsOf(options, device);
  const topics = new Topics(prefix, id, []);
  const announced = homeAssistant && `${homeAssistant.prefix}/device/${homeAssistant.id}/config`;
  const kept = options.stateDirectory === undefined ? undefined : keptTopic(options.stateDirectory).topic;
  const known = [...nouns.map((noun) => topics.state(noun)), announced, kept, topics.status];
  const clearing = {
    ...{ clientId: id, user, password, base: topics.status },
    topics: [...new Set(known.filter((topic) => topic !== undefined))],
  };
  const numbers = brokers.map((broker) => numberOf(broker, options.tls, true));
  let failure: unknown;
  for (const number of numbers) {
    try {
      return await clearAt(number, clearing);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
