/** The reason codes of MQTT 5.0 (2.4) for people. */

const texts: { readonly [reason: number]: string } = {
  129: "it calls a packet malformed",
  130: "it calls a packet a protocol error",
  132: "it does not speak MQTT 5.0",
  133: "it does not accept the id",
  134: "the user or the password is wrong",
  135: "not authorized",
  136: "it is not available",
  137: "it is busy",
  138: "this client is banned",
  139: "it shuts down",
  141: "it has received nothing for too long",
  142: "another client has connected with the same id",
  143: "it does not accept a topic filter",
  144: "it does not accept a topic",
  149: "a packet is too large for it",
  151: "a quota is exceeded",
  152: "it was told to end the connection",
  154: "it stores no retained messages",
  155: "it does not support QoS 1",
  156: "the client should use another server",
  157: "the server has moved",
  159: "too many connections in a short time",
};

/** @param text the broker's own words; "" for none. @returns the meaning of a reason code. */
export function reasonText(reason: number, text = ""): string {
  const meaning = texts[reason] ?? `reason 0x${reason.toString(16)}`;
  return text === "" ? meaning : `${meaning} (${text})`;
}

/**
 * @param text the broker's own words; "" for none.
 * @returns the meaning of a CONNACK's reason code. mosquitto refuses a wrong password as one that is not authorized.
 */
export function refusalText(reason: number, text = ""): string {
  return reasonText(reason === 135 ? 134 : reason, text);
}
