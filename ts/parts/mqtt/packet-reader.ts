/**
 * Cuts the bytes of a broker into packets and parses them by the tables of MQTT 5.0. Packets that a client never gets
 * are forbidden too. A reason code may be any: brokers have some of their own, and each from 0x80 on is a refusal. The
 * result does not depend on how the network splits the bytes.
 */
import { Fields, PacketError, readVariable, reasons } from "./data-types.ts";
import { type Properties, readProperties } from "./properties.ts";

/** The answer to CONNECT. */
export interface Connack {
  readonly type: "connack";
  readonly sessionPresent: boolean;
  /** 0 for success. */
  readonly reason: number;
  readonly properties: Properties;
}

/** A message. */
export interface Publish {
  readonly type: "publish";
  readonly topic: string;
  /** 0, or 1 for a message that is to be acknowledged. */
  readonly qos: 0 | 1;
  /** It was stored at the broker. */
  readonly retain: boolean;
  /** Of the acknowledgement; 0 without one. */
  readonly id: number;
  /** One character for each byte; undefined if it is longer than the reader's limit. */
  readonly payload: string | undefined;
}

/** The answer to a PUBLISH of QoS 1. */
export interface Puback {
  readonly type: "puback";
  readonly id: number;
  readonly reason: number;
  readonly properties: Properties;
}

/** The answer to SUBSCRIBE: a reason for each of its filters. */
export interface Suback {
  readonly type: "suback";
  readonly id: number;
  readonly reasons: readonly number[];
  readonly properties: Properties;
}

/** The broker ends the connection. */
export interface Disconnect {
  readonly type: "disconnect";
  readonly reason: number;
  readonly properties: Properties;
}

export type Packet = Connack | Publish | Puback | Suback | Disconnect | { readonly type: "pingresp" };

/** The lengths that a reader accepts, in bytes. */
export interface ReaderLimits {
  /** Of a whole packet. */
  readonly packetBytes: number;
  /** Of a message's payload. A longer one is left out. */
  readonly payloadBytes: number;
}

function readIdentifier(fields: Fields): number {
  const id = fields.twoBytes();
  if (id === 0) throw new PacketError("A packet identifier is 0.", reasons.protocolError);
  return id;
}

function readConnack(fields: Fields): Connack {
  const flags = fields.byte();
  const reason = fields.byte();
  if (flags > 1 || (flags === 1 && reason !== 0)) throw new PacketError("A CONNACK has wrong flags.");
  // Before MQTT 5.0, a CONNACK had no properties.
  if (fields.isEmpty) return { type: "connack", sessionPresent: false, reason: reasons.unsupported, properties: {} };
  return { type: "connack", sessionPresent: flags === 1, reason, properties: readProperties(fields, "connack") };
}

function readPuback(fields: Fields): Puback {
  const id = readIdentifier(fields);
  const reason = fields.isEmpty ? 0 : fields.byte();
  return { type: "puback", id, reason, properties: fields.isEmpty ? {} : readProperties(fields, "puback") };
}

function readSuback(fields: Fields): Suback {
  const id = readIdentifier(fields);
  const properties = readProperties(fields, "suback");
  const granted: number[] = [];
  do granted.push(fields.byte());
  while (!fields.isEmpty);
  return { type: "suback", id, reasons: granted, properties };
}

function readDisconnect(fields: Fields): Disconnect {
  const reason = fields.isEmpty ? 0 : fields.byte();
  return { type: "disconnect", reason, properties: fields.isEmpty ? {} : readProperties(fields, "disconnect") };
}

/** @throws PacketError for QoS 3, a repetition (DUP) with QoS 0, and QoS 2, which was not subscribed. */
function checkPublishFlags(flags: number): void {
  const qos = (flags >> 1) & 3;
  if (qos === 3 || (qos === 0 && flags >= 8)) throw new PacketError("A message has wrong flags.");
  if (qos === 2) throw new PacketError("A message has QoS 2, more than was subscribed.", reasons.protocolError);
}

function readPublish(fields: Fields, flags: number, payloadBytes: number): Publish {
  const qos = (flags & 2) === 0 ? 0 : 1;
  const topic = fields.text();
  if (topic === "" || /[+#]/.test(topic)) throw new PacketError("A message has no valid topic.", reasons.protocolError);
  const id = qos === 0 ? 0 : readIdentifier(fields);
  readProperties(fields, "publish");
  const payload = fields.rest();
  const isTooLong = payload.length > payloadBytes;
  return { type: "publish", topic, qos, retain: (flags & 1) === 1, id, payload: isTooLong ? undefined : payload };
}

/** The first half of the first byte of a PUBLISH. */
const publish = 3;

/**
 * The packets by the first half of their first byte (table 2-1): how the rest of each is read, and how many bytes that
 * has at least and at most.
 */
const types: {
  readonly [first: number]: readonly [
    read: (fields: Fields, flags: number, payloadBytes: number) => Packet,
    shortest: number,
    longest?: number,
  ];
} = {
  2: [readConnack, 2],
  [publish]: [readPublish, 3],
  4: [readPuback, 2],
  9: [readSuback, 4],
  13: [() => ({ type: "pingresp" }), 0, 0],
  14: [readDisconnect, 0],
};

/** The packets of one connection. */
export class PacketReader {
  private readonly limits: ReaderLimits;
  /** Bytes that are not yet part of a packet, from `at` on. */
  private bytes = "";
  private at = 0;

  constructor(limits: ReaderLimits) {
    this.limits = limits;
  }

  /** Takes bytes that arrived, one character for each. */
  feed(bytes: string): void {
    this.bytes = this.bytes.slice(this.at) + bytes;
    this.at = 0;
  }

  /**
   * @returns the next packet; undefined if no other has arrived whole.
   * @throws PacketError; the reader is useless then.
   */
  next(): Packet | undefined {
    const { bytes, at } = this;
    const { packetBytes, payloadBytes } = this.limits;
    if (at === bytes.length) return undefined;
    const first = bytes.charCodeAt(at);
    const flags = first & 0xf;
    const type = types[first >> 4];
    if (type === undefined)
      throw new PacketError("A broker may not send a packet of this type.", reasons.protocolError);
    if (first >> 4 === publish) checkPublishFlags(flags);
    else if (flags !== 0) throw new PacketError("A packet has wrong flags.");
    const [length, begin] = readVariable(bytes, at + 1, bytes.length) ?? [];
    if (length === undefined || begin === undefined) return undefined;
    const [read, shortest, longest = Number.POSITIVE_INFINITY] = type;
    if (length < shortest || length > longest) throw new PacketError("A packet has a wrong length.");
    const end = begin + length;
    if (end - at > packetBytes) {
      throw new PacketError("A packet is longer than this client accepts.", reasons.packetTooLarge);
    }
    if (end > bytes.length) return undefined;
    this.at = end;
    const fields = new Fields(bytes, begin, end);
    const packet = read(fields, flags, payloadBytes);
    if (!fields.isEmpty) throw new PacketError("A packet is longer than its fields.");
    return packet;
  }
}
