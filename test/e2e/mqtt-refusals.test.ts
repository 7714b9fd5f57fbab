/**
 * A broker that refuses one message, by a reason code or by ending the connection. Everything else goes on, the log
 * names the message, and it costs two connections, and then one a minute at most.
 */
import { writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { generate, type Packet, parser } from "mqtt-packet";
import { describe, expect, test } from "vitest";
import { freePort } from "../harness/address.ts";
import { BrokerSite } from "../harness/broker-site.ts";
import { eventually } from "../harness/eventually.ts";
import { type Mosquitto, mosquittoMissing, OtherClient } from "../harness/mosquitto.ts";
import { type NoundProcess, temporaryPath } from "../harness/nound-process.ts";

const missing = mosquittoMissing();
const names = Array.from({ length: 40 }, (_, index) => `relay${index}`);
const nouns = Object.fromEntries(names.map((name) => [name, { kind: "switch", key: "on", title: `The ${name}` }]));
const discovery = "homeassistant/device/hall/config";

class Site extends BrokerSite {
  device(broker: Pick<Mosquitto, "address">, mqtt: object = {}): Promise<NoundProcess> {
    return this.start(broker, { nouns }, { startDelay: 0, homeAssistant: true, ...mqtt });
  }

  /** A broker that this test plays. It ends the connection at each packet for which `refuses` is true. */
  async played(refuses: (packet: Packet) => boolean): Promise<PlayedBroker> {
    const broker = new PlayedBroker(refuses);
    await broker.listen();
    this.context.onTestFinished(() => broker.close());
    return broker;
  }
}

class PlayedBroker {
  readonly published = new Map<string, string>();
  connects = 0;
  /** Whether the last connection has subscribed. */
  isSubscribed = false;
  address = "";
  private readonly refuses: (packet: Packet) => boolean;
  private readonly server = createServer((socket) => this.speak(socket));
  private socket: Socket | undefined;

  constructor(refuses: (packet: Packet) => boolean) {
    this.refuses = refuses;
  }

  async listen(): Promise<void> {
    const port = await freePort();
    this.address = `127.0.0.1:${port}`;
    await new Promise<void>((resolve) => this.server.listen(port, "127.0.0.1", resolve));
  }

  close(): void {
    this.socket?.destroy();
    this.server.close();
  }

  command(topic: string, payload: string): void {
    this.socket?.write(written({ cmd: "publish", topic, payload, qos: 1, messageId: 9, retain: false, dup: false }));
  }

  private speak(socket: Socket): void {
    this.socket = socket;
    this.connects += 1;
    this.isSubscribed = false;
    const packets = parser({ protocolVersion: 5 });
    const answer = (packet: object): void => void socket.write(written(packet));
    packets.on("packet", (packet) => {
      if (socket.writableEnded) return;
      if (this.refuses(packet)) {
        socket.end();
        return;
      }
      const { messageId } = packet;
      if (packet.cmd === "connect") answer({ cmd: "connack", reasonCode: 0, sessionPresent: false });
      if (packet.cmd === "subscribe") {
        this.isSubscribed = true;
        answer({ cmd: "suback", messageId, granted: packet.subscriptions.map(({ qos }) => qos) });
      }
      if (packet.cmd === "pingreq") answer({ cmd: "pingresp" });
      if (packet.cmd !== "publish") return;
      this.published.set(packet.topic, packet.payload.toString());
      if (packet.qos === 1) answer({ cmd: "puback", messageId, reasonCode: 0 });
    });
    packets.on("error", () => undefined);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => void packets.parse(bytes));
  }
}

function written(packet: object): Buffer {
  return generate(packet as Packet, { protocolVersion: 5 });
}

async function connects({ address }: NoundProcess): Promise<number> {
  const text = await (await fetch(`http://${address}/metrics`)).text();
  return Number(/^nound_mqtt_connects_total (.*)$/m.exec(text)?.[1]);
}

async function isOn({ address }: NoundProcess, noun: string): Promise<boolean> {
  return (await (await fetch(`http://${address}/${noun}`)).text()) === '{"on":1}';
}

const isOfTopic = (packet: Packet, topic: string): boolean => packet.cmd === "publish" && packet.topic === topic;

describe.skipIf(missing !== undefined).concurrent(`mosquitto (skipped: ${missing ?? "never here"})`, () => {
  test.for([
    ["max_packet_size 4096", /homeassistant\/device\/hall\/config: .*larger than the broker accepts/],
    [
      "message_size_limit 4096",
      /mqtt homeassistant\/device\/hall\/config: a packet is too large for it; raise its limit/,
    ],
  ] as const)(
    "with %s takes all but the message for Home Assistant, in one connection",
    async ([line, said], context) => {
      const site = new Site(context);
      const broker = await site.broker([line]);
      const client = await OtherClient.connect(broker.port);
      context.onTestFinished(() => client.end());
      const device = await site.device(broker);
      await client.hears("nound/hall", "online");
      await client.publish("nound/hall/relay7/put", '{"on":1}');
      await client.hears("nound/hall/relay7", '{"on":1}');
      for (const name of names) expect(client.latest(`nound/hall/${name}`)).toBeDefined();
      expect(client.all(discovery)).toEqual([]);
      expect(await connects(device)).toBe(1);
      expect((await device.stop()).stderr).toMatch(said);
    },
  );

  test("whose access control list refuses topics takes all others, in one connection", async (context) => {
    const site = new Site(context);
    const list = temporaryPath("acl");
    const topics = ["nound/hall/relay7", "nound/+/+/post", discovery].map((topic) => `topic deny ${topic}`);
    writeFileSync(list, [...topics, "topic readwrite #", ""].join("\n"));
    const broker = await site.broker([`acl_file ${list}`]);
    const client = await OtherClient.connect(broker.port);
    context.onTestFinished(() => client.end());
    const device = await site.device(broker);
    await client.hears("nound/hall", "online");
    await client.publish("nound/hall/relay8/put", '{"on":1}');
    await client.hears("nound/hall/relay8", '{"on":1}');
    expect(client.all("nound/hall/relay7")).toEqual([]);
    expect(await connects(device)).toBe(1);
    expect((await device.stop()).stderr).toContain("check the broker's access control list");
  });
});

describe.concurrent("a broker that closes the connection without a word", () => {
  test("at a message gets everything else in the third one", async (context) => {
    const topic = discovery;
    const site = new Site(context);
    const broker = await site.played((packet) => isOfTopic(packet, topic));
    const device = await site.device(broker);
    const all = [discovery, "nound/hall", ...names.map((name) => `nound/hall/${name}`)].filter((one) => one !== topic);
    await eventually("everything else is there", () => all.every((one) => broker.published.has(one)));
    // The first one may have ended by chance; in the second one the messages go out one by one.
    await eventually("it connects again", () => broker.connects >= 3 && broker.isSubscribed);
    broker.command("nound/hall/relay9/put", '{"on":1}');
    await eventually("a command works", () => isOn(device, "relay9"));
    expect(broker.connects).toBe(3);
    expect((await device.stop()).stderr).toContain(`${topic} was not acknowledged, so it is left out`);
  });
});
