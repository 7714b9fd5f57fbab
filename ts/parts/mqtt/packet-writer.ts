/** Writes the packets of a client (MQTT 5.0, chapter 3), one character for each byte. */
import { encodeUtf8, writeFourBytes, writeText, writeTwoBytes, writeVariable } from "./data-types.ts";

/** A message to send. */
export interface Message {
  readonly topic: string;
  readonly payload: string;
  readonly qos: 0 | 1;
  readonly retain: boolean;
}

/** The contents of a CONNECT. */
export interface ConnectOptions {
  readonly clientId: string;
  readonly cleanStart: boolean;
  /** s */
  readonly keepAlive: number;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** What the broker publishes when the client is gone. */
  readonly will: Message;
  /** s after which it does. */
  readonly willDelay: number;
  /** s that the broker keeps the session. */
  readonly sessionExpiry: number;
  readonly receiveMaximum: number;
  /** bytes */
  readonly maximumPacketSize: number;
}

function packet(first: number, rest: string): string {
  return String.fromCharCode(first) + writeVariable(rest.length) + rest;
}

function writeProperties(properties: string): string {
  return writeVariable(properties.length) + properties;
}

/** CONNECT (3.1). */
export function writeConnect(options: ConnectOptions): string {
  const { will, user, password } = options;
  const flags =
    (user === undefined ? 0 : 0x80) |
    (password === undefined ? 0 : 0x40) |
    (will.retain ? 0x20 : 0) |
    (will.qos << 3) |
    0x04 |
    (options.cleanStart ? 0x02 : 0);
  const properties =
    `\x11${writeFourBytes(options.sessionExpiry)}\x21${writeTwoBytes(options.receiveMaximum)}` +
    `\x27${writeFourBytes(options.maximumPacketSize)}`;
  const rest =
    `${writeText("MQTT")}\x05${String.fromCharCode(flags)}${writeTwoBytes(options.keepAlive)}` +
    writeProperties(properties) +
    writeText(options.clientId) +
    writeProperties(`\x18${writeFourBytes(options.willDelay)}`) +
    writeText(will.topic) +
    writeText(will.payload) +
    (user === undefined ? "" : writeText(user)) +
    (password === undefined ? "" : writeText(password));
  return packet(0x10, rest);
}

/** PUBLISH (3.3). @param id of a message of QoS 1. */
export function writePublish({ topic, payload, qos, retain }: Message, id: number): string {
  const identifier = qos === 0 ? "" : writeTwoBytes(id);
  return packet(
    0x30 | (qos << 1) | (retain ? 1 : 0),
    writeText(topic) + identifier + writeProperties("") + encodeUtf8(payload),
  );
}

/** PUBACK (3.4) with success. */
export function writePuback(id: number): string {
  return packet(0x40, writeTwoBytes(id));
}

/**
 * SUBSCRIBE (3.8).
 * @param stored the filter for which the broker sends what it has stored, the only messages of it that arrive with the
 *   retain flag. The client's own messages do not come back (No Local). For any other filter the broker sends nothing
 *   that it has stored (Retain Handling 2), and a message keeps the flag that it was published with (Retain As
 *   Published).
 */
export function writeSubscribe(id: number, filters: readonly string[], stored?: string, qos: 0 | 1 = 1): string {
  const written = filters.map((filter) => {
    const options = filter === stored ? 0x04 : 0x28;
    return writeText(filter) + String.fromCharCode(options | qos);
  });
  return packet(0x82, writeTwoBytes(id) + writeProperties("") + written.join(""));
}

/** PINGREQ (3.12). */
export const pingreq = packet(0xc0, "");

/**
 * DISCONNECT (3.14).
 * @param reason a reason code.
 * @param sessionExpiry s that the broker keeps the session; undefined for what CONNECT has said.
 */
export function writeDisconnect(reason: number, sessionExpiry?: number): string {
  const properties = sessionExpiry === undefined ? "" : `\x11${writeFourBytes(sessionExpiry)}`;
  return packet(0xe0, String.fromCharCode(reason) + writeProperties(properties));
}
