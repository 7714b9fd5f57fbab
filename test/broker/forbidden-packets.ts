/** Packets that no client of MQTT 5.0 accepts, as bytes. */
import type { Random } from "./random.ts";

const byte = (...codes: readonly number[]): string => String.fromCharCode(...codes);

/** Bytes that are forbidden at any moment. */
const always: readonly ((random: Random) => string)[] = [
  () => byte(0, 0), // type 0
  () => byte(0x10, 0), // CONNECT, which only clients send
  () => byte(0x82, 0), // SUBSCRIBE
  () => byte(0xa2, 0), // UNSUBSCRIBE
  () => byte(0xc0, 0), // PINGREQ
  () => byte(0xf0, 0), // AUTH, which nobody has asked for
  () => byte(0x50, 2, 0, 1), // PUBREC
  () => byte(0x62, 2, 0, 1), // PUBREL
  () => byte(0x70, 2, 0, 1), // PUBCOMP
  () => byte(0xb0, 4, 0, 1, 0, 0), // UNSUBACK
  () => byte(0x30, 0xff, 0xff, 0xff, 0xff, 1), // a length of five bytes
  () => byte(0x30, 0xff, 0xff, 0xff, 0x7f), // a packet of 256 MB
  () => byte(0x30, 0x84, 0, 0, 1, 97, 0), // a length with a byte too many
  () => byte(0xd0, 1, 0), // PINGRESP with a length
  (random) => byte(0xd0 + 1 + random.below(15), 0), // reserved bits
  (random) => byte(0x20 + 1 + random.below(15), 3, 0, 0, 0),
  (random) => byte(0x40 + 1 + random.below(15), 2, 0, 1),
  () => byte(0xe0, 5, 0x8b, 3, 0x7f, 0, 0), // an unknown property
  () => byte(0xe0, 4, 0x8b, 9, 0x11, 0), // properties beyond the packet
];

/** Bytes that are forbidden before CONNACK. */
const unconnected: readonly ((random: Random) => string)[] = [
  () => byte(0x20, 2, 0, 0), // without properties
  () => byte(0x20, 3, 2, 0, 0), // reserved bits of its flags
  () => byte(0x20, 5, 0, 0, 2, 0x24, 2), // Maximum QoS 2
  () => byte(0x20, 6, 0, 0, 3, 0x21, 0, 0), // Receive Maximum 0
  () => byte(0x20, 7, 0, 0, 4, 0x25, 1, 0x25, 1), // a property twice
  () => byte(0x20, 5, 0, 0, 2, 0x01, 0), // a property of other packets
  () => byte(0x30, 4, 0, 1, 97, 0), // PUBLISH
  () => byte(0x90, 4, 0, 1, 0, 1), // SUBACK
  () => byte(0xd0, 0), // PINGRESP
];

/** Bytes that are forbidden after it. */
const connected: readonly ((random: Random) => string)[] = [
  () => byte(0x20, 3, 0, 0, 0), // a second CONNACK
  () => byte(0x30, 4, 0, 1, 0, 0), // a topic with NUL
  () => byte(0x30, 3, 0, 0, 0), // no topic
  () => byte(0x30, 4, 0, 1, 43, 0), // a topic with a wildcard
  () => byte(0x30, 4, 0, 1, 0xff, 0), // a topic that is not UTF-8
  () => byte(0x30, 4, 0, 9, 97, 0), // a topic beyond the packet
  () => byte(0x30, 7, 0, 1, 97, 3, 0x23, 0, 1), // an alias, of which there may be none
  () => byte(0x32, 6, 0, 1, 97, 0, 0, 0), // identifier 0
  () => byte(0x34, 6, 0, 1, 97, 0, 1, 0), // QoS 2, which was not asked for
  () => byte(0x36, 6, 0, 1, 97, 0, 1, 0), // QoS 3
  () => byte(0x38, 4, 0, 1, 97, 0), // a duplicate of QoS 0
  () => byte(0x40, 2, 0x77, 0x77), // an acknowledgement of nothing
  () => byte(0x40, 2, 0, 0), // of identifier 0
  () => byte(0x40, 3, 0x77, 0x77, 0x55), // with an unknown reason code
  () => byte(0x90, 4, 0x77, 0x77, 0, 1), // SUBACK of nothing
];

/**
 * @param moment 0 before CONNACK, and 1 or 2 after it.
 * @returns forbidden bytes with anything behind them, in two parts that are cut anywhere.
 */
export function forbidden(random: Random, moment: number): readonly string[] {
  const some = [...always, ...(moment === 0 ? unconnected : connected)];
  const bytes = some[random.below(some.length)]?.(random) ?? "";
  const rest = byte(...Array.from({ length: random.below(40) }, () => random.below(256)));
  const cut = random.below(bytes.length + 1);
  return [(bytes + rest).slice(0, cut), (bytes + rest).slice(cut)];
}
