/**
 * The data types of MQTT 5.0 (section 1.5). Bytes are a string with one character for each byte, as `nound:net` passes
 * them. Nothing received is believed: a length is checked before its bytes are read.
 */
import { decodeUtf8, utf8Length } from "../../core/http/utf8.ts";

/** Reason codes that end a connection (MQTT 5.0, table 2-6). `unsupported`: the broker does not speak MQTT 5.0. */
export const reasons = {
  malformed: 0x81,
  protocolError: 0x82,
  unsupported: 0x84,
  topicAliasInvalid: 0x94,
  packetTooLarge: 0x95,
} as const;

/** A packet that MQTT forbids. The connection closes. */
export class PacketError extends Error {
  override readonly name = "PacketError";
  /** The reason code of the DISCONNECT. */
  readonly reason: number;

  constructor(sentence: string, reason: number = reasons.malformed) {
    super(sentence);
    this.reason = reason;
  }
}

/**
 * Reads a Variable Byte Integer (1.5.5).
 * @param end where the bytes end that have arrived.
 * @returns the value, and the place behind it; undefined if its bytes have not all arrived.
 * @throws PacketError when it has more than four bytes, or more than its value needs.
 */
export function readVariable(
  bytes: string,
  at: number,
  end: number,
): readonly [value: number, next: number] | undefined {
  let value = 0;
  for (let index = 0; index < 4; index++) {
    if (at + index >= end) return undefined;
    const byte = bytes.charCodeAt(at + index);
    value += (byte & 0x7f) << (7 * index);
    if (byte >= 0x80) continue;
    if (byte === 0 && index > 0) throw new PacketError("A length has more bytes than it needs.");
    return [value, at + index + 1];
  }
  throw new PacketError("A length has more than four bytes.");
}

/**
 * Reads the fields of a packet, or of a part of it, one after the other. Each method throws PacketError beyond the end.
 */
export class Fields {
  private readonly bytes: string;
  private at: number;
  private readonly end: number;

  constructor(bytes: string, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get isEmpty(): boolean {
    return this.at === this.end;
  }

  byte(): number {
    return this.bytes.charCodeAt(this.take(1));
  }

  twoBytes(): number {
    const at = this.take(2);
    return this.bytes.charCodeAt(at) * 0x100 + this.bytes.charCodeAt(at + 1);
  }

  fourBytes(): number {
    return this.twoBytes() * 0x1_0000 + this.twoBytes();
  }

  variable(): number {
    const [value, next] = readVariable(this.bytes, this.at, this.end) ?? [0, this.end + 1];
    this.take(next - this.at);
    return value;
  }

  /** Binary Data (1.5.6). */
  binary(): string {
    const length = this.twoBytes();
    const at = this.take(length);
    return this.bytes.slice(at, at + length);
  }

  /** A UTF-8 Encoded String (1.5.4): strict UTF-8 without U+0000. */
  text(): string {
    const text = decodeUtf8(this.binary());
    if (text === undefined) throw new PacketError("A string is not UTF-8.");
    if (text.includes("\0")) throw new PacketError("A string has the character U+0000.");
    return text;
  }

  /** @returns the next bytes, as many as a Variable Byte Integer says. */
  part(): Fields {
    const length = this.variable();
    const at = this.take(length);
    return new Fields(this.bytes, at, at + length);
  }

  /** @returns all bytes up to the end. */
  rest(): string {
    return this.bytes.slice(this.take(this.end - this.at), this.end);
  }

  private take(count: number): number {
    const { at } = this;
    if (count > this.end - at) throw new PacketError("A packet ends inside a field.");
    this.at = at + count;
    return at;
  }
}

/** @returns the text as UTF-8. Half of a surrogate pair becomes U+FFFD. */
export function encodeUtf8(text: string): string {
  if (utf8Length(text) === text.length) return text;
  return encodeURIComponent(text.toWellFormed()).replace(/%(..)/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** @param value up to 268,435,455. */
export function writeVariable(value: number): string {
  const rest = Math.floor(value / 0x80);
  return rest === 0 ? String.fromCharCode(value) : String.fromCharCode((value % 0x80) + 0x80) + writeVariable(rest);
}

export function writeTwoBytes(value: number): string {
  return String.fromCharCode(value >> 8, value & 0xff);
}

export function writeFourBytes(value: number): string {
  return writeTwoBytes(Math.floor(value / 0x1_0000)) + writeTwoBytes(value % 0x1_0000);
}

/** @param text at most 65,535 bytes as UTF-8. */
export function writeText(text: string): string {
  const bytes = encodeUtf8(text);
  return writeTwoBytes(bytes.length) + bytes;
}
