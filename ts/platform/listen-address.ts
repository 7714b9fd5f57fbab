/**
 * The addresses a server can listen on, as `nound:net` takes them: `127.0.0.1:8080`, `[::1]:8080`,
 * `unix:/run/nound.sock`. They are checked here, so that `--check` can check them without opening a socket.
 */
import { byteLength } from "nound:utf8";
import { isIpv4, isIpv6 } from "../core/grammar/ip-address.ts";

/** The options after the path of a Unix socket. */
const socketOption = /,(?:mode=0?[0-7]{3}|group=[^,\0]+)$/;
/** What looks like an option. A path that ends like this is a misspelled option more probably than a file's name. */
const anySocketOption = /,[A-Za-z]+=[^,/]*$/;
/** The largest number of bytes in the path of a Unix socket: `sun_path` of unix(7) without the NUL at its end. */
export const pathBytes = 107;

function isPort(text: string): boolean {
  return /^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535;
}

/** @returns the path before `,mode=0660` and `,group=NAME`. */
export function socketPath(text: string): string {
  let path = text;
  while (socketOption.test(path)) path = path.replace(socketOption, "");
  return path;
}

/** @returns true for a path that a Unix socket can have. */
export function isSocketPath(path: string): boolean {
  return path !== "" && !path.includes("\0") && byteLength(path) <= pathBytes && !anySocketOption.test(path);
}

const sealedScheme = "https://";

/** @returns the address of encrypted connections without its scheme; undefined for another address. */
export function sealedAddress(text: string): string | undefined {
  return text.startsWith(sealedScheme) ? text.slice(sealedScheme.length) : undefined;
}

/** @returns true for an address that a server can listen on. The device may still lack it. */
export function isListenAddress(address: string): boolean {
  const sealed = sealedAddress(address);
  const text = sealed ?? address;
  if (sealed?.startsWith("unix:")) return false;
  if (text.startsWith("unix:")) {
    return isSocketPath(socketPath(text.slice("unix:".length)));
  }
  const colon = text.lastIndexOf(":");
  const host = text.slice(0, Math.max(colon, 0));
  const isHost = host.startsWith("[") && host.endsWith("]") ? isIpv6(host.slice(1, -1)) : isIpv4(host);
  return isHost && isPort(text.slice(colon + 1));
}

/** @returns whether only this device reaches an address: a Unix socket, or one of the loopback. */
export function isLocalAddress(given: string): boolean {
  const address = sealedAddress(given) ?? given;
  if (address.startsWith("unix:")) return true;
  const host = address.slice(0, address.lastIndexOf(":"));
  return host.startsWith("127.") || /^\[(?:0*:)*:?0*1\]$/.test(host) || /^\[::ffff:127\./i.test(host);
}
