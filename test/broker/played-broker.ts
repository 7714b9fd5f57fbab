/** A broker that a test plays: it lets each client in, and sends what the test wants. */
import type { Server, Socket } from "node:net";
import { generate, type IPublishPacket, type Packet, parser } from "mqtt-packet";
import { freePort } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { brokerServer } from "./seal.ts";

/** @returns the bytes of a message to a device. */
export function message(topic: string, payload: string, more: Partial<IPublishPacket> = {}): Buffer {
  const packet = { cmd: "publish", topic, payload, qos: 0, retain: false, dup: false, ...more } as Packet;
  return generate(packet, { protocolVersion: 5 });
}

export class PlayedBroker {
  /** Whether messages of QoS 1 are acknowledged. */
  acknowledges = true;
  /** The topics and payloads of the messages that the devices have sent. */
  readonly messages: (readonly [topic: string, payload: string])[] = [];
  /** Acknowledgements that have come. */
  pubacks = 0;
  connects = 0;
  private readonly server: Server;
  private socket: Socket | undefined;

  private constructor() {
    this.server = brokerServer((socket) => this.speak(socket));
  }

  static async start(): Promise<PlayedBroker> {
    const broker = new PlayedBroker();
    const port = await freePort();
    await new Promise<void>((resolve) => broker.server.listen(port, "127.0.0.1", resolve));
    return broker;
  }

  get address(): string {
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("The broker does not listen.");
    return `127.0.0.1:${address.port}`;
  }

  /** Whether the last client is still connected. */
  get isConnected(): boolean {
    return this.socket?.destroyed === false;
  }

  /** Waits until a device at the topic `nound/hall` is online. */
  async hearsOnline(): Promise<void> {
    await eventually("the device is online", () =>
      this.messages.some(([topic, payload]) => topic === "nound/hall" && payload === "online"),
    );
  }

  /** Sends bytes to the last client in one write. */
  send(...parts: readonly Buffer[]): void {
    this.socket?.write(Buffer.concat(parts));
  }

  close(): void {
    this.socket?.destroy();
    this.server.close();
  }

  private speak(socket: Socket): void {
    this.socket = socket;
    const answer = (packet: object): void => void socket.write(generate(packet as Packet, { protocolVersion: 5 }));
    const packets = parser({ protocolVersion: 5 });
    packets.on("packet", (packet) => {
      const { messageId } = packet;
      if (packet.cmd === "connect") {
        this.connects += 1;
        answer({ cmd: "connack", reasonCode: 0, sessionPresent: false });
      }
      if (packet.cmd === "subscribe") answer({ cmd: "suback", messageId, granted: packet.subscriptions.map(() => 1) });
      if (packet.cmd === "pingreq") answer({ cmd: "pingresp" });
      if (packet.cmd === "puback") this.pubacks += 1;
      if (packet.cmd !== "publish") return;
      this.messages.push([packet.topic, packet.payload.toString()]);
      if (packet.qos === 1 && this.acknowledges) answer({ cmd: "puback", messageId, reasonCode: 0 });
    });
    packets.on("error", () => undefined);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => void packets.parse(bytes));
  }
}
