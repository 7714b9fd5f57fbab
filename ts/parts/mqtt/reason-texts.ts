/** The reason codes of MQTT 5.0 (2.4) for people. */
import { utf8Length } from "../../core/http/utf8.ts";
import { acknowledgement, ping, type Suspect } from "./left-out.ts";

const notAuthorized = 135;
const noWildcards = 162;
const tooLarge = 149;

/** What to do about a topic that the broker does not allow, and about a message that is too long for it. */
const listHint = "; check the broker's access control list";
const sizeHint = "; raise its limit for the size of a message";

const texts: { readonly [reason: number]: string } = {
  128: "it does not say why",
  129: "it calls a packet malformed",
  130: "it calls a packet a protocol error",
  131: "for a reason of its own",
  132: "it does not speak MQTT 5.0",
  133: "it does not accept the id",
  134: "the user or the password is wrong",
  [notAuthorized]: "not authorized",
  136: "it is not available",
  137: "it is busy",
  138: "this client is banned",
  139: "it shuts down",
  141: "it has received nothing for too long",
  142: "another client has connected with the same id",
  143: `it does not accept a topic filter${listHint}`,
  144: `it does not accept a topic${listHint}`,
  145: "it takes the number of a packet for one in use",
  [tooLarge]: "a packet is too large for it",
  151: "a quota is exceeded",
  152: "it was told to end the connection",
  154: "it stores no retained messages",
  155: "it does not support QoS 1",
  156: "the client should use another server",
  157: "the server has moved",
  158: "it does not support shared subscriptions",
  159: "too many connections in a short time",
  161: "it does not support subscription identifiers",
  [noWildcards]: "it does not support wildcards",
};

/** Characters of a broker's own words that are logged. */
const longestText = 200;

/** Reason codes of SUBACK that a broker gives again and again: the access control list, or what it does not have. */
const lasting = new Set([notAuthorized, 143, 158, 161, noWildcards]);

/** @returns whether a subscription that was refused so is refused for good. */
export function isLasting(reason: number): boolean {
  return lasting.has(reason);
}

/** @param text the broker's own words; "" for none. @returns the meaning of a reason code. */
export function reasonText(reason: number, text = ""): string {
  const meaning = texts[reason] ?? `reason 0x${reason.toString(16)}`;
  return text === "" ? meaning : `${meaning} (${text.slice(0, longestText)})`;
}

/** @returns why a filter with a wildcard is not subscribed. */
export function wildcardText(): string {
  return reasonText(noWildcards);
}

/** @returns what may be behind a connection that does not deliver what the device has published to its own status. */
export function silenceText(): string {
  return `the device's own status does not come back${listHint}`;
}

/** @returns why a message or a filter was refused, and what to do about it. */
export function refusalText(reason: number, text?: string): string {
  const hint = reason === tooLarge ? sizeHint : reason in texts ? "" : "; see its log";
  return reasonText(reason, text) + (reason === notAuthorized ? listHint : hint);
}

/**
 * @param text the broker's own words; "" for none.
 * @returns the meaning of a CONNACK's reason code. mosquitto refuses a wrong password as one that is not authorized.
 */
export function connackText(reason: number, text = ""): string {
  const code = reason === notAuthorized ? 134 : reason;
  return reasonText(code, text) + (code in texts ? "" : "; see the broker's log");
}

/** @returns what may be behind a broker that ends the connection in place of a CONNACK. */
export function speechlessText(): string {
  return " without an answer to CONNECT; check that the port is for MQTT 5.0, and see the broker's log";
}

/** @param time in ms. */
function timeText(time: number): string {
  const minutes = Math.round(time / 60_000);
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

/**
 * @param suspects for which the broker has ended the connection. @param time ms for which they are left out.
 * @returns what is left out, and what to do about it.
 */
export function suspicion(suspects: readonly Suspect[], time: number): string {
  const [first] = suspects;
  const names = suspects.map(({ name }) => name);
  const span = timeText(time);
  if (first?.name === ping) return `; it did not answer ${ping}, which is left out for ${span}; see the broker's log`;
  if (first?.name === acknowledgement) {
    const what = `${acknowledgement}, the acknowledgement of a command`;
    return `; it did not take ${what}, so commands are subscribed to with QoS 0 for ${span}; see the broker's log`;
  }
  if (first?.payload === undefined) {
    return `; ${names.join(", ")}: not answered, so left out for ${span}${listHint}`;
  }
  const size = utf8Length(first.payload);
  const leaving = `so it is left out until it changes, or for ${span}`;
  const hint = `${listHint} and its limit for the size of a message, ${size} bytes here`;
  return `; ${first.name} was ${first.wasRefused ? "refused" : "not acknowledged"}, ${leaving}${hint}`;
}

/** @returns what may be behind short connections that the broker ends one after the other without a reason. */
export function namesake(id: string): string {
  return `the broker closes each connection soon; perhaps another client has the same id, ${id}`;
}
