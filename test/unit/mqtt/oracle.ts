/** The npm package mqtt-packet, which reads and writes packets independently of nound. */
import { generate, type Packet as OraclePacket, parser } from "mqtt-packet";

/** A packet as bytes, one character for each. */
export function written(packet: object): string {
  return generate(packet as OraclePacket, { protocolVersion: 5 }).toString("latin1");
}

/** @returns where the first packet of some bytes ends, by its fixed header (MQTT 5.0, 2.1); else where they end. */
function endOfFirst(bytes: Buffer): number {
  let length = 0;
  for (let index = 1; index <= 4 && index < bytes.length; index++) {
    const byte = bytes.readUInt8(index);
    length += (byte & 0x7f) << (7 * (index - 1));
    if (byte < 0x80) return Math.min(bytes.length, index + 1 + length);
  }
  return bytes.length;
}

/**
 * Reads packets one by one, because the oracle takes the first byte behind an empty DISCONNECT for its reason.
 * @returns the packets of some bytes. @throws what the oracle finds wrong.
 */
export function oraclePackets(bytes: string): OraclePacket[] {
  const packets: OraclePacket[] = [];
  const reading = parser({ protocolVersion: 5 });
  let wrong: Error | undefined;
  reading.on("packet", (packet) => packets.push(packet));
  reading.on("error", (error: Error) => {
    wrong ??= error;
  });
  for (let rest = Buffer.from(bytes, "latin1"); rest.length > 0; rest = rest.subarray(endOfFirst(rest))) {
    reading.parse(rest.subarray(0, endOfFirst(rest)));
  }
  if (wrong !== undefined) throw wrong;
  return packets;
}
