/** What of an address identifies a client, where clients are counted. */

/**
 * @param peer as a socket names it: `192.0.2.7:51234`, `[2001:db8::7]:51234` or `unix`.
 * @returns what identifies a client: its IPv4 address, its IPv6 network of 64 bits (RFC 6177, 2), or one name for all
 * clients of a Unix socket.
 */
export function clientOf(peer: string): string {
  const address = addressOf(peer);
  if (!address.includes(":")) return address;
  const [left = "", right] = address.split("::");
  const groups = left === "" ? [] : left.split(":");
  if (right !== undefined) {
    const behind = right === "" ? 0 : right.split(":").length;
    while (groups.length + behind < 8) groups.push("0");
  }
  return groups.slice(0, 4).join(":");
}

/** @param peer as a socket names it. @returns its address alone: `192.0.2.7`, `2001:db8::7` or `unix`. */
export function addressOf(peer: string): string {
  const address = peer.slice(0, Math.max(peer.lastIndexOf(":"), 0));
  if (address === "") return peer;
  return address.startsWith("[") ? address.slice(1, -1) : address;
}
