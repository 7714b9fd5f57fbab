/** The first inputs of the fuzzer of packets: those that a broker sends, as the npm package mqtt-packet writes them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate, type Packet } from "mqtt-packet";

const message = {
  cmd: "publish",
  topic: "nound/hall/led/put",
  payload: '{"led":1}',
  qos: 0,
  dup: false,
  retain: false,
};
const reasonString = "größer";
const userProperties = { a: ["b", "c"] };

const packets: readonly object[] = [
  { cmd: "connack", reasonCode: 0, sessionPresent: false },
  {
    cmd: "connack",
    reasonCode: 0,
    sessionPresent: true,
    properties: {
      sessionExpiryInterval: 15,
      receiveMaximum: 20,
      maximumQoS: 1,
      retainAvailable: true,
      maximumPacketSize: 100_000,
      assignedClientIdentifier: "x",
      topicAliasMaximum: 0,
      reasonString,
      userProperties,
      wildcardSubscriptionAvailable: true,
      serverKeepAlive: 60,
      serverReference: "other.example",
    },
  },
  { cmd: "connack", reasonCode: 0x87, sessionPresent: false, properties: { reasonString } },
  { cmd: "suback", messageId: 1, granted: [1, 0, 0x87], properties: { reasonString, userProperties } },
  { cmd: "puback", messageId: 2, reasonCode: 0 },
  { cmd: "puback", messageId: 2, reasonCode: 0x10, properties: { reasonString } },
  message,
  { ...message, qos: 1, messageId: 3, dup: true, retain: true },
  { ...message, payload: "x".repeat(100) },
  {
    ...message,
    properties: { payloadFormatIndicator: true, messageExpiryInterval: 4, contentType: "a", userProperties },
  },
  { ...message, properties: { responseTopic: "a/b", correlationData: Buffer.from([1, 2]), topicAlias: 1 } },
  { cmd: "pingresp" },
  { cmd: "disconnect", reasonCode: 0x8b, properties: { reasonString, serverReference: "a:1883" } },
];

/** Writes the seeds to a folder: each packet, and all of them, in parts of several lengths. */
export function writePacketSeeds(folder: string): void {
  const bytes = packets.map((packet) => generate(packet as Packet, { protocolVersion: 5 }));
  mkdirSync(folder, { recursive: true });
  for (const [index, packet] of [...bytes, Buffer.concat(bytes)].entries()) {
    writeFileSync(join(folder, String(index)), Buffer.concat([Buffer.from([index % 32]), packet]));
  }
}
