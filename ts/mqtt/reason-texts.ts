/** The reason codes of MQTT 5.0 (2.4) for people. */

const notAuthorized = 135;
const noWildcards = 162;

/** What to do about a topic that the broker does not allow. */
const listHint = "; check the broker's access control list";

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
  149: "a packet is too large for it",
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
  return reasonText(reason, text) + (reason === notAuthorized ? listHint : "");
}

/**
 * @param text the broker's own words; "" for none.
 * @returns the meaning of a CONNACK's reason code. mosquitto refuses a wrong password as one that is not authorized.
 */
export function connackText(reason: number, text = ""): string {
  return reasonText(reason === notAuthorized ? 134 : reason, text);
}

/** @param topic of a message that the broker has not acknowledged. @returns what may be behind an end without a reason. */
export function suspicion(topic: string | undefined): string {
  return topic === undefined ? "" : `; ${topic} was not acknowledged${listHint}`;
}

/** @returns what may be behind short connections that the broker ends one after the other without a reason. */
export function namesake(id: string): string {
  return `the broker closes each connection soon; perhaps another client has the same id, ${id}`;
}
