/** Brokers that send what MQTT forbids: each connection ends, nothing is left of it, and the next connect works. */
import type { Server, Socket } from "node:net";
import { generate, type Packet, parser } from "mqtt-packet";
import { freePort } from "../../harness/address.ts";
import { memoryNotJudged } from "../../harness/environment.ts";
import { eventually } from "../../harness/eventually.ts";
import { openDescriptors, residentMemory } from "../../harness/process-status.ts";
import { type BrokerCase, must } from "../case.ts";
import { forbidden } from "../forbidden-packets.ts";
import { Random } from "../random.ts";
import { brokerServer } from "../seal.ts";
import { isConnected, metric, startDevice } from "../site.ts";

const devices = 100;
const packetsOfDevice = 10;
const brokersOfDevice = 5;
/** kB that the resident memory may grow by with these packets. */
const growth = 200;

const nouns = { led: { kind: "switch", key: "led" }, note: { kind: "value", default: { text: "hé" } } };

/** Brokers that answer as they should up to a moment, and then send one forbidden packet; after all of them, honest. */
class Brokers {
  readonly addresses: string[] = [];
  sent = 0;
  closed = 0;
  private readonly servers: Server[] = [];
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  async listen(): Promise<void> {
    const server = brokerServer((socket) => this.speak(socket));
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    this.servers.push(server);
    this.addresses.push(`127.0.0.1:${port}`);
  }

  close(): void {
    for (const server of this.servers) server.close();
  }

  private speak(socket: Socket): void {
    // Before CONNACK, before SUBACK, or when the device is ready.
    const moment = this.sent === packetsOfDevice ? Number.POSITIVE_INFINITY : this.random.below(3);
    let phase = 0;
    const send = (packet: object): void => void socket.write(generate(packet as Packet, { protocolVersion: 5 }));
    const attack = (): void => {
      phase = Number.POSITIVE_INFINITY;
      this.sent += 1;
      for (const part of forbidden(this.random, moment)) socket.write(part, "latin1");
      socket.once("close", () => {
        this.closed += 1;
      });
    };
    const packets = parser({ protocolVersion: 5 });
    packets.on("packet", (packet) => {
      if (phase === Number.POSITIVE_INFINITY) return;
      if (phase === moment) {
        attack();
        return;
      }
      const { messageId } = packet;
      if (packet.cmd === "connect") send({ cmd: "connack", reasonCode: 0, sessionPresent: false });
      if (packet.cmd === "subscribe") send({ cmd: "suback", messageId, granted: packet.subscriptions.map(() => 1) });
      if (packet.cmd === "publish" && packet.qos === 1) send({ cmd: "puback", messageId, reasonCode: 0 });
      phase = packet.cmd === "connect" ? 1 : 2;
    });
    packets.on("error", () => undefined);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => void packets.parse(bytes));
  }
}

async function runDevice(seed: number): Promise<void> {
  const random = new Random(seed);
  const brokers = new Brokers(random);
  for (let index = 0; index < brokersOfDevice; index++) await brokers.listen();
  const device = await startDevice({ nouns }, brokers.addresses);
  try {
    await eventually("the device has tried one", () => brokers.closed >= 1);
    // Its client's connection stays open.
    await isConnected(device);
    const [descriptors, memory] = [openDescriptors(device.pid), residentMemory(device.pid)];
    await eventually("each has sent its packets", () => brokers.sent === packetsOfDevice);
    await eventually("each connection is closed", () => brokers.closed === packetsOfDevice);
    await eventually("the device connects", () => isConnected(device));
    must(openDescriptors(device.pid) <= descriptors + 1, "A descriptor is left.");
    const grown = residentMemory(device.pid) - memory;
    must(memoryNotJudged !== undefined || grown <= growth, `The memory has grown by ${grown} kB.`);
    must((await metric(device, "nound_mqtt_connects_total")) === packetsOfDevice + 1, "It has connected too often.");
    const { status, stderr } = await device.stop();
    must(status === 0, `It ends with ${status}: ${stderr}`);
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    throw new Error(`Seed ${seed}: ${sentence}; sent ${brokers.sent}, closed ${brokers.closed}; ${device.printed}`);
  } finally {
    device.kill();
    brokers.close();
  }
}

async function run(): Promise<string> {
  const seed = Date.now() % 1_000_000_000;
  await Promise.all(Array.from({ length: devices }, (_, index) => runDevice(seed + index)));
  const packets = devices * packetsOfDevice;
  return `${packets} packets, as many closed connections, and ${devices} good ones; seeds from ${seed}`;
}

/** The case. */
export const malformed: readonly BrokerCase[] = [{ name: "malformed packets of brokers", run }];
