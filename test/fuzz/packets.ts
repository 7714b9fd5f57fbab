/**
 * The application of the second fuzzer: the packets of a broker, read whole and in parts. Both must give the same, and
 * nothing but a PacketError may be thrown.
 */
import { PacketError } from "../../ts/parts/mqtt/data-types.ts";
import { type Packet, PacketReader } from "../../ts/parts/mqtt/packet-reader.ts";

const limits = { packetBytes: 2_000, payloadBytes: 60 };

/** @param length of each part. @returns the packets, and the refusal that ends them. */
function readInParts(bytes: string, length: number): string {
  const reader = new PacketReader(limits);
  const packets: (Packet | string)[] = [];
  try {
    for (let at = 0; at < bytes.length; at += length) {
      reader.feed(bytes.slice(at, at + length));
      for (let packet = reader.next(); packet !== undefined; packet = reader.next()) packets.push(packet);
    }
  } catch (error) {
    if (!(error instanceof PacketError)) throw error;
    packets.push(`${error.reason} ${error.message}`);
  }
  return JSON.stringify(packets);
}

const fuzz = {
  /** @param input one character for each byte; the first is the length of the parts. */
  read(input: string): void {
    const bytes = input.slice(1);
    const whole = readInParts(bytes, Math.max(1, bytes.length));
    const parted = readInParts(bytes, 1 + (input.charCodeAt(0) % 32));
    if (whole !== parted) throw new Error(`Whole: ${whole}; in parts: ${parted}`);
  },
};
Object.assign(globalThis, { fuzz });
