/** The Host field's value and the authority of an absolute-form target (RFC 9110, 7.2; RFC 3986, 3.2.2). */
import { isIpv6 } from "../grammar/ip-address.ts";
import { type Characters, tokens, transitionTable } from "../grammar/transition-table.ts";

/** unreserved and sub-delims of RFC 3986, without the comma, by which an intermediary joins two Host fields. */
const nameCharacters: Characters = ["-.", "09", "AZ", "az", "_", "~", "!", "$", "&+", ";", "="];
const hexadecimal: Characters = ["09", "AF", "af"];

/** `reg-name [":" port]` and a line feed; the token is the port. */
const nameTable = transitionTable([
  ["start", nameCharacters, "name"],
  ["start", ["%"], "first digit"],
  ["name", nameCharacters, "name"],
  ["name", ["%"], "first digit"],
  ["first digit", hexadecimal, "second digit"],
  ["second digit", hexadecimal, "name"],
  ["name", ["\n"], "accepted"],
  ["name", [":"], "before port"],
  ["before port", ["09"], "port", "begin"],
  ["before port", ["\n"], "accepted"],
  ["port", ["09"], "port"],
  ["port", ["\n"], "accepted", "end"],
]);
const portPattern = /^[0-9]*$/;
const futureAddress = /^v[0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+;=:]+$/i;
const largestPort = 65_535;

/**
 * @param text a Host field's value, or the authority of an absolute-form target.
 * @returns whether it is only a host with an optional port, without user information, path or list.
 */
export function isHost(text: string): boolean {
  const named = tokens(`${text}\n`, nameTable);
  if (named !== undefined) return named.length === 0 || Number(named[0]) <= largestPort;
  const [name, port] = hostAndPort(text);
  if (!name.startsWith("[") || !portPattern.test(port) || Number(port) > largestPort) return false;
  const address = name.slice(1, -1);
  const isLiteral = name.indexOf("]") === name.length - 1;
  return isLiteral && (isIpv6(address) || futureAddress.test(address));
}

/** A zone behind an IPv6 address (RFC 6874), in which `%25` should be the percent sign, and often is not. */
const zone = /^(\[[0-9A-Fa-f:.]+)%(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+(\](?::[0-9]*)?)$/;

/** @returns a host without the zone that only its client knows; undefined for what is no such host. */
export function withoutZone(host: string): string | undefined {
  const [, address = "", rest = ""] = zone.exec(host) ?? [];
  return isHost(address + rest) ? address + rest : undefined;
}

/** @returns whether a text can be in a list of hosts: not with a `*`, which would be meant as a pattern. */
export function isListedHost(text: string): boolean {
  return isHost(text) && !text.includes("*");
}

/** @returns the two sides of a host's colon; "" for a port that is missing or empty. */
export function hostAndPort(text: string): readonly [host: string, port: string] {
  const literalEnd = text.startsWith("[") ? text.indexOf("]") : -1;
  const colon = text.indexOf(":", literalEnd + 1);
  return colon < 0 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
}
