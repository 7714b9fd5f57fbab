/**
 * Cuts the bytes of a broker into packets and parses them by the tables of MQTT 5.0. Packets that a client never gets
 * are forbidden too. The result does not depend on how the network splits the bytes.
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
  /** Of a message's payload. The bytes of a longer one are dropped as they arrive. */
  readonly payloadBytes: number;
}

/** The reason codes of each packet (tables 3-1, 3-4, 3-8 and 3-10). */
const connackReasons = new Set([
  0x00, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8c, 0x90, 0x95, 0x97, 0x99, 0x9a, 0x9b,
  0x9c, 0x9d, 0x9f,
]);
const pubackReasons = new Set([0x00, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99]);
/** Without 2: this client subscribes with QoS 1, and a broker grants no more. */
const subackReasons = new Set([0x00, 0x01, 0x80, 0x83, 0x87, 0x8f, 0x91, 0x97, 0x9e, 0xa1, 0xa2]);
const disconnectReasons = new Set([
  0x00, 0x80, 0x81, 0x82, 0x83, 0x87, 0x89, 0x8b, 0x8d, 0x8e, 0x8f, 0x90, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
  0x9a, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f, 0xa0, 0xa1, 0xa2,
]);

/**
 * The types by the first half of a packet's first byte (table 2-1), each with the shortest and the longest rest of the
 * packet.
 */
const types: { readonly [first: number]: readonly [type: Packet["type"], shortest: number, longest: number] } = {
  2: ["connack", 3, Number.POSITIVE_INFINITY],
  3: ["publish", 3, Number.POSITIVE_INFINITY],
  4: ["puback", 2, Number.POSITIVE_INFINITY],
  9: ["suback", 4, Number.POSITIVE_INFINITY],
  13: ["pingresp", 0, 0],
  14: ["disconnect", 0, Number.POSITIVE_INFINITY],
};

function readReason(fields: Fields, known: ReadonlySet<number>): number {
  const reason = fields.byte();
  if (!known.has(reason)) throw new PacketError("A reason code is unknown.");
  return reason;
}

function readIdentifier(fields: Fields): number {
  const id = fields.twoBytes();
  if (id === 0) throw new PacketError("A packet identifier is 0.", reasons.protocolError);
  return id;
}

function readConnack(fields: Fields): Connack {
  const flags = fields.byte();
  const reason = readReason(fields, connackReasons);
  if (flags > 1 || (flags === 1 && reason !== 0)) throw new PacketError("A CONNACK has wrong flags.");
  return { type: "connack", sessionPresent: flags === 1, reason, properties: readProperties(fields, "connack") };
}

function readPuback(fields: Fields): Puback {
  const id = readIdentifier(fields);
  const reason = fields.isEmpty ? 0 : readReason(fields, pubackReasons);
  return { type: "puback", id, reason, properties: fields.isEmpty ? {} : readProperties(fields, "puback") };
}

function readSuback(fields: Fields): Suback {
  const id = readIdentifier(fields);
  const properties = readProperties(fields, "suback");
  const granted: number[] = [];
  do granted.push(readReason(fields, subackReasons));
  while (!fields.isEmpty);
  return { type: "suback", id, reasons: granted, properties };
}

function readDisconnect(fields: Fields): Disconnect {
  const reason = fields.isEmpty ? 0 : readReason(fields, disconnectReasons);
  return { type: "disconnect", reason, properties: fields.isEmpty ? {} : readProperties(fields, "disconnect") };
}

/**
 * @returns the place behind the topic, the identifier and the properties of a message; undefined if they have not all
 *   arrived.
 */
function publishHeadEnd(bytes: string, at: number, end: number, qos: number): number | undefined {
  if (end - at < 2) return undefined;
  const topicEnd = at + 2 + new Fields(bytes, at, end).twoBytes() + (qos > 0 ? 2 : 0);
  const [length, next] = readVariable(bytes, topicEnd, end) ?? [0, Number.POSITIVE_INFINITY];
  return next + length <= end ? next + length : undefined;
}

/** Refuses QoS 3, a repetition (DUP) with QoS 0, and QoS 2, which was not subscribed. */
function checkPublishFlags(flags: number): void {
  const qos = (flags >> 1) & 3;
  if (qos === 3 || (qos === 0 && flags >= 8)) throw new PacketError("A message has wrong flags.");
  if (qos === 2) throw new PacketError("A message has QoS 2, more than was subscribed.", reasons.protocolError);
}

function readPublishHead(fields: Fields, flags: number): Omit<Publish, "payload"> {
  const qos = (flags >> 1) & 3;
  const topic = fields.text();
  if (topic === "" || /[+#]/.test(topic)) throw new PacketError("A message has no valid topic.", reasons.protocolError);
  const id = qos === 0 ? 0 : readIdentifier(fields);
  readProperties(fields, "publish");
  return { type: "publish", topic, qos: qos === 0 ? 0 : 1, retain: (flags & 1) === 1, id };
}

/** The packets of one connection. */
export class PacketReader {
  private readonly limits: ReaderLimits;
  /** Bytes that are not yet part of a packet, from `at` on. */
  private bytes = "";
  private at = 0;
  /** A message whose payload is being dropped, and how many bytes are left of that. */
  private dropped: Publish | undefined;
  private left = 0;

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
    if (this.dropped !== undefined) return this.drop(this.dropped);
    const { bytes, at } = this;
    if (at === bytes.length) return undefined;
    const first = bytes.charCodeAt(at);
    const [type, shortest, longest] = types[first >> 4] ?? ["", 0, 0];
    const flags = first & 0xf;
    if (type === "") throw new PacketError("A broker may not send a packet of this type.", reasons.protocolError);
    if (type === "publish") checkPublishFlags(flags);
    else if (flags !== 0) throw new PacketError("A packet has wrong flags.");
    const [length, begin] = readVariable(bytes, at + 1, bytes.length) ?? [];
    if (length === undefined || begin === undefined) return undefined;
    if (length < shortest || length > longest) throw new PacketError("A packet has a wrong length.");
    if (begin - at + length > this.limits.packetBytes) {
      throw new PacketError("A packet is longer than this client accepts.", reasons.packetTooLarge);
    }
    const end = begin + length;
    if (type === "publish") return this.readPublish(flags, begin, end);
    if (end > bytes.length) return undefined;
    this.at = end;
    const fields = new Fields(bytes, begin, end);
    const packet = this.read(type, fields);
    if (!fields.isEmpty) throw new PacketError("A packet is longer than its fields.");
    return packet;
  }

  private read(type: Exclude<Packet["type"], "publish">, fields: Fields): Packet {
    switch (type) {
      case "connack":
        return readConnack(fields);
      case "puback":
        return readPuback(fields);
      case "suback":
        return readSuback(fields);
      case "disconnect":
        return readDisconnect(fields);
      case "pingresp":
        return { type };
    }
  }

  private readPublish(flags: number, begin: number, end: number): Packet | undefined {
    const { bytes } = this;
    const isWhole = end <= bytes.length;
    const arrived = isWhole ? end : bytes.length;
    const headEnd = publishHeadEnd(bytes, begin, arrived, (flags >> 1) & 3);
    if (headEnd === undefined) {
      if (isWhole) throw new PacketError("A packet ends inside a field.");
      return undefined;
    }
    const isTooLong = end - headEnd > this.limits.payloadBytes;
    if (!isWhole && !isTooLong) return undefined;
    const head = readPublishHead(new Fields(bytes, begin, headEnd), flags);
    if (!isTooLong) {
      this.at = end;
      return { ...head, payload: bytes.slice(headEnd, end) };
    }
    this.at = headEnd;
    this.left = end - headEnd;
    return this.drop({ ...head, payload: undefined });
  }

  private drop(message: Publish): Packet | undefined {
    const count = Math.min(this.left, this.bytes.length - this.at);
    this.at += count;
    this.left -= count;
    this.dropped = this.left > 0 ? message : undefined;
    return this.left > 0 ? undefined : message;
  }
}
