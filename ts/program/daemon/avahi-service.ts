/**
 * The service file by which Avahi announces a server (avahi.service(5)): `_http._tcp` and `_https._tcp` for people who
 * browse, and `_wot._tcp` with the path of the Thing Description (WoT Discovery, 6.1.4).
 */
import { isLocalAddress, sealedAddress } from "../../platform/listen-address.ts";
import type { Configuration } from "../configuration/configuration.ts";

/** Bytes of the longest name of a service (RFC 6763, 4.1.1). */
const longestName = 63;

/** @returns the port of an address that other machines reach; undefined for a Unix socket and loopback. */
export function reachedPort(given: string): string | undefined {
  const port = given.slice(given.lastIndexOf(":") + 1);
  return isLocalAddress(given) || Number(port) === 0 ? undefined : port;
}

function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;"); // only because a text may not contain "]]>" (XML 1.0, 2.4)
}

/** @returns as many of the first characters as fit into a name. */
function shorten(title: string): string {
  let name = "";
  let bytes = 0;
  for (const character of title) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > longestName) break;
    name += character;
  }
  return name;
}

function service(type: string, port: string, texts: readonly string[]): string {
  const records = texts.map((text) => `    <txt-record>${text}</txt-record>\n`);
  return `  <service>\n    <type>${type}</type>\n    <port>${port}</port>\n${records.join("")}  </service>\n`;
}

/**
 * @param addresses the addresses that the server listens on.
 * @returns the service file; "" if only this device can reach the server.
 */
export function avahiService({ device }: Configuration, addresses: readonly string[]): string {
  const portOf = (isSealed: boolean) =>
    addresses
      .filter((address) => (sealedAddress(address) !== undefined) === isSealed)
      .flatMap((address) => reachedPort(address) ?? [])[0];
  const [plain, sealed] = [portOf(false), portOf(true)];
  const port = plain ?? sealed;
  if (port === undefined) return "";
  const { title, documents } = device;
  const name =
    title === undefined ? '<name replace-wildcards="yes">%h</name>' : `<name>${escapeXml(shorten(title))}</name>`;
  const thing = ["td=/.well-known/wot", "type=Thing", plain === undefined ? "scheme=https" : "scheme=http"];
  return (
    '<?xml version="1.0" standalone="no"?>\n<!DOCTYPE service-group SYSTEM "avahi-service.dtd">\n' +
    `<service-group>\n  ${name}\n` +
    (plain === undefined ? "" : service("_http._tcp", plain, [])) +
    (sealed === undefined ? "" : service("_https._tcp", sealed, [])) +
    `${documents?.description === false ? "" : service("_wot._tcp", port, thing)}</service-group>\n`
  );
}
