/**
 * What is around the bytes of `functions.ts`. On a serial line: the unit before them and a checksum behind them (Modbus
 * over Serial Line 1.02). A line is noisy, and nothing says where a frame begins, so every place is tried. In TCP: a
 * head with a number (Modbus Messaging on TCP/IP 1.0b).
 *
 *     rtuFrame(1, "\x03\x00\x28\x00\x02"); // with unit and checksum
 */
import { wordAt } from "./functions.ts";

/** Bytes of the longest frame. */
export const longestFrame = 256;

/** What each byte adds to a checksum. */
const remainders = Uint16Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >> 1) ^ (0xa001 * (remainder & 1));
  return remainder;
});

/** @returns the checksum of bytes, low byte first. */
export function checksum(bytes: string): string {
  let crc = 0xffff;
  for (let index = 0; index < bytes.length; index++) {
    crc = (crc >> 8) ^ (remainders[(crc ^ bytes.charCodeAt(index)) & 0xff] as number);
  }
  return String.fromCharCode(crc & 0xff, crc >> 8);
}

/** @returns the frame of a question or an answer. */
export function rtuFrame(unit: number, bytes: string): string {
  const frame = String.fromCharCode(unit) + bytes;
  return frame + checksum(frame);
}

/** @returns ms of silence that separate frames: 3.5 characters of 11 bits, 1.75 ms at least. */
export function silenceOf(baud: number): number {
  return Math.max(1.75, (3.5 * 11 * 1_000) / baud);
}

/** A frame in what has arrived. */
export interface FoundFrame {
  readonly unit: number;
  readonly bytes: string;
  /** Index of the byte behind it. */
  readonly end: number;
}

/** @returns the length of the answer that begins at an index, with unit and checksum; 0 if none can begin there. */
function lengthAt(received: string, index: number): number {
  const code = received.charCodeAt(index + 1);
  if (code > 0x80 && code <= 0x80 + 16) return 5;
  if (code >= 1 && code <= 4) return received.length > index + 2 ? 5 + received.charCodeAt(index + 2) : 0;
  return code === 5 || code === 6 || code === 15 || code === 16 ? 8 : 0;
}

/** @param from index of the first byte to look at. @returns the first whole frame with a right checksum. */
export function findFrame(received: string, from: number): FoundFrame | undefined {
  for (let index = from; index + 5 <= received.length; index++) {
    const length = lengthAt(received, index);
    const end = index + length;
    if (length === 0 || end > received.length) continue;
    const frame = frameBetween(received, index, end);
    if (frame !== undefined) return frame;
  }
  return undefined;
}

/** @returns the frame from an index to another one; undefined if its checksum is wrong. */
function frameBetween(received: string, index: number, end: number): FoundFrame | undefined {
  const frame = received.slice(index, end - 2);
  if (checksum(frame) !== received.slice(end - 2, end)) return undefined;
  return { unit: frame.charCodeAt(0), bytes: frame.slice(1), end };
}

/** A frame on a line that a unit listens to. */
export interface Traffic extends FoundFrame {
  /** Whether it can be a question. The answers of other units are frames, too. */
  readonly isQuestion: boolean;
}

/** @returns the length of the question that begins at an index; 0 if none can begin there. */
function questionLengthAt(received: string, index: number): number {
  const code = received.charCodeAt(index + 1);
  if (code >= 1 && code <= 6) return 8;
  if (code === 15 || code === 16) return received.length > index + 6 ? 9 + received.charCodeAt(index + 6) : 0;
  if (code === 22) return 10;
  if (code === 23) return received.length > index + 10 ? 13 + received.charCodeAt(index + 10) : 0;
  return code === 7 || code === 11 || code === 12 || code === 17 ? 4 : code === 8 ? 8 : 0;
}

/** @returns the first whole frame with a right checksum, a question or an answer of any unit. */
export function findTraffic(received: string): Traffic | undefined {
  for (let index = 0; index + 4 <= received.length; index++) {
    for (const isQuestion of [true, false]) {
      const length = isQuestion ? questionLengthAt(received, index) : lengthAt(received, index);
      const end = index + length;
      const frame = length === 0 || end > received.length ? undefined : frameBetween(received, index, end);
      if (frame !== undefined) return { ...frame, isQuestion };
    }
  }
  return undefined;
}

/** @returns the question in a whole frame; undefined if its checksum is wrong. */
export function findQuestion(received: string): FoundFrame | undefined {
  return received.length < 4 ? undefined : frameBetween(received, 0, received.length);
}

/** The head of Modbus TCP: a number of the question, the protocol 0, the length of unit and bytes, the unit. */
export function tcpFrame(transaction: number, unit: number, bytes: string): string {
  const length = bytes.length + 1;
  return String.fromCharCode(transaction >> 8, transaction & 0xff, 0, 0, length >> 8, length & 0xff, unit) + bytes;
}

/** A frame of Modbus TCP. */
export interface TcpFrame extends FoundFrame {
  readonly transaction: number;
}

/**
 * @param least the length of the shortest frame, from the unit on: an answer has at least 3.
 * @returns the frame at the start of what has arrived; undefined before it is whole.
 * @throws Error with a sentence if it is no Modbus TCP.
 */
export function takeTcpFrame(received: string, least = 3): TcpFrame | undefined {
  if (received.length < 6) return undefined;
  const length = received.charCodeAt(5);
  const zero = received.charCodeAt(2) | received.charCodeAt(3) | received.charCodeAt(4);
  if (zero !== 0 || length < least || length > 254) throw new Error("it does not speak Modbus TCP");
  const end = 6 + length;
  if (received.length < end) return undefined;
  return {
    transaction: wordAt(received, 0),
    unit: received.charCodeAt(6),
    bytes: received.slice(7, end),
    end,
  };
}
