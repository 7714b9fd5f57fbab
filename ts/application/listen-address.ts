/**
 * The addresses a server can listen on, as `nound:net` takes them: `127.0.0.1:8080`, `[::1]:8080`, `unix:/run/nound.sock`.
 * They are checked here, so that `--check` can check them without opening a socket.
 */

/** The options after the path of a Unix socket. */
const socketOption = /,(?:mode=0?[0-7]{3}|group=[^,\0]+)$/;
const anySocketOption = /,(?:mode|group)=[^,]*$/;
/** A regular expression of a number of an IPv4 address. */
export const octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`);
const group = /^[0-9A-Fa-f]{1,4}$/;

/** The largest number of bytes in the path of a Unix socket: `sun_path` of unix(7) without the NUL at its end. */
export const pathBytes = 107;

function isPort(text: string): boolean {
  return /^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535;
}

/** @returns the number of 16-bit groups; NaN if one is malformed. Only the last may be an IPv4 address, which counts as two groups. */
function countGroups(text: string, mayEndInIpv4: boolean): number {
  if (text === "") {
    return 0;
  }
  const groups = text.split(":");
  const last = groups.pop() ?? "";
  const lastCount = group.test(last) ? 1 : mayEndInIpv4 && ipv4.test(last) ? 2 : Number.NaN;
  return groups.every((one) => group.test(one)) ? groups.length + lastCount : Number.NaN;
}

/** RFC 4291, section 2.2: eight groups, or fewer with one `::` for the missing ones. */
function isIpv6(text: string): boolean {
  const parts = text.split("::");
  if (parts.length === 1) {
    return countGroups(text, true) === 8;
  }
  return parts.length === 2 && countGroups(parts[0] ?? "", false) + countGroups(parts[1] ?? "", true) <= 7;
}

/** The number of bytes in UTF-8: one for ASCII, two, three or four for others. Each half of a surrogate pair counts as two. */
function byteLength(text: string): number {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }).reduce((sum: number, bytes) => sum + bytes, 0);
}

/** @returns the path before `,mode=0660` and `,group=NAME`. */
function withoutSocketOptions(text: string): string {
  let path = text;
  while (socketOption.test(path)) path = path.replace(socketOption, "");
  return path;
}

/** @returns true for a path that a Unix socket can have. */
export function isSocketPath(path: string): boolean {
  return path !== "" && !path.includes("\0") && byteLength(path) <= pathBytes && !anySocketOption.test(path);
}

/** @returns true for an address that `nound:net` understands. The device may still lack it. */
export function isListenAddress(text: string): boolean {
  if (text.startsWith("unix:")) {
    return isSocketPath(withoutSocketOptions(text.slice("unix:".length)));
  }
  const colon = text.lastIndexOf(":");
  const host = text.slice(0, Math.max(colon, 0));
  const isHost = host.startsWith("[") && host.endsWith("]") ? isIpv6(host.slice(1, -1)) : ipv4.test(host);
  return isHost && isPort(text.slice(colon + 1));
}
