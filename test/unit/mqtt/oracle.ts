/** The npm package mqtt-packet, which reads and writes packets independently of nound. */
import { generate, type Packet as OraclePacket, parser } from "mqtt-packet";

/** A packet as bytes, one character for each. */
export function written(packet: object): string {
  return generate(packet as OraclePacket, { protocolVersion: 5 }).toString("latin1");
}

/** @returns the packets of some bytes. @throws what the oracle finds wrong. */
export function oraclePackets(bytes: string): OraclePacket[] {
  const packets: OraclePacket[] = [];
  const reading = parser({ protocolVersion: 5 });
  let wrong: Error | undefined;
  reading.on("packet", (packet) => packets.push(packet));
  reading.on("error", (error: Error) => {
    wrong ??= error;
  });
  reading.parse(Buffer.from(bytes, "latin1"));
  if (wrong !== undefined) throw wrong;
  return packets;
}
