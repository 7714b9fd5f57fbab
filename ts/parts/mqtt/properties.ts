/**
 * The properties of packets (MQTT 5.0, section 2.2.2): which there are, their types, and the packets that may have
 * them.
 */
import { type Fields, PacketError, reasons } from "./data-types.ts";

/** The packets of a broker that have properties. */
export type PacketWithProperties = "connack" | "publish" | "puback" | "suback" | "disconnect";

/** The properties by their names; those that this client does not use are checked and left out. */
export interface Properties {
  readonly serverKeepAlive?: number;
  readonly reasonString?: string;
  readonly receiveMaximum?: number;
  readonly maximumQoS?: number;
  readonly retainAvailable?: number;
  readonly maximumPacketSize?: number;
  readonly wildcardSubscriptionAvailable?: number;
}

type Name = keyof Properties | "";

/** Reads a value. Of a number, 0 is a mistake if it is `positive`; more than 1, if it is a `flag`. */
type DataType =
  | "flag"
  | "two"
  | "positive two"
  | "four"
  | "positive four"
  | "positive variable"
  | "text"
  | "binary"
  | "pair";

type Row = readonly [name: Name, type: DataType, ...packets: PacketWithProperties[]];

/**
 * Table 2-4, as far as a broker may send it to a client that asks for neither an extended authentication nor topic
 * aliases.
 */
const table: { readonly [identifier: number]: Row } = {
  1: ["", "flag", "publish"], // Payload Format Indicator
  2: ["", "four", "publish"], // Message Expiry Interval
  3: ["", "text", "publish"], // Content Type
  8: ["", "text", "publish"], // Response Topic
  9: ["", "binary", "publish"], // Correlation Data
  11: ["", "positive variable", "publish"], // Subscription Identifier
  17: ["", "four", "connack"], // Session Expiry Interval
  18: ["", "text", "connack"], // Assigned Client Identifier
  19: ["serverKeepAlive", "two", "connack"],
  26: ["", "text", "connack"], // Response Information
  28: ["", "text", "connack", "disconnect"], // Server Reference
  31: ["reasonString", "text", "connack", "puback", "suback", "disconnect"],
  33: ["receiveMaximum", "positive two", "connack"],
  34: ["", "two", "connack"], // Topic Alias Maximum
  35: ["", "two", "publish"], // Topic Alias
  36: ["maximumQoS", "flag", "connack"],
  37: ["retainAvailable", "flag", "connack"],
  38: ["", "pair", "connack", "publish", "puback", "suback", "disconnect"], // User Property
  39: ["maximumPacketSize", "positive four", "connack"],
  40: ["wildcardSubscriptionAvailable", "flag", "connack"],
  41: ["", "flag", "connack"], // Subscription Identifiers Available
  42: ["", "flag", "connack"], // Shared Subscription Available
};

/** A message may have several of these; of all others one at most. */
const repeatable = [0x0b, 0x26];

const topicAlias = 0x23;

function readNumber(fields: Fields, type: DataType): number {
  if (type === "flag") return fields.byte();
  if (type.endsWith("two")) return fields.twoBytes();
  return type.endsWith("four") ? fields.fourBytes() : fields.variable();
}

function readValue(fields: Fields, type: DataType): number | string {
  if (type === "text") return fields.text();
  if (type === "binary") return fields.binary();
  if (type === "pair") return fields.text() + fields.text();
  const value = readNumber(fields, type);
  const isAllowed = type === "flag" ? value <= 1 : value > 0 || !type.startsWith("positive");
  if (!isAllowed) throw new PacketError("A property has a value that it may not have.", reasons.protocolError);
  return value;
}

/**
 * Reads a packet's properties, with the length before them.
 * @throws PacketError for a property that is unknown, in the wrong packet, twice in one packet, or of a wrong value.
 */
export function readProperties(fields: Fields, packet: PacketWithProperties): Properties {
  const part = fields.part();
  const seen = new Set<number>();
  const read: { [name in Name]?: number | string } = {};
  while (!part.isEmpty) {
    const identifier = part.variable();
    const row = Object.hasOwn(table, identifier) ? table[identifier] : undefined;
    if (row === undefined) throw new PacketError("A property is unknown.");
    const [name, type] = row;
    if (!row.includes(packet, 2)) throw new PacketError("A property is in a packet that may not have it.");
    if (seen.has(identifier) && !repeatable.includes(identifier)) {
      throw new PacketError("A property is twice in a packet.", reasons.protocolError);
    }
    seen.add(identifier);
    const value = readValue(part, type);
    if (identifier === topicAlias) {
      throw new PacketError(
        "A message has a topic alias, which this client has not allowed.",
        reasons.topicAliasInvalid,
      );
    }
    if (name !== "") read[name] = value;
  }
  // Each name has the type that its row says.
  return read as Properties;
}
