/** Addresses to listen on in a configuration. */

import { ipv4Pattern } from "../../core/grammar/ip-address.ts";
import { isListenAddress, isSocketPath, pathBytes, sealedAddress, socketPath } from "../../platform/listen-address.ts";
import { oneOrMore, optional, record } from "../../settings/record.ts";
import {
  checked,
  converted,
  isObject,
  mistake,
  refuse,
  type Setting,
  systemName,
  textOf,
} from "../../settings/setting.ts";

const expected = "an address such as 127.0.0.1:8080, https://0.0.0.0:8443 or unix:/run/nound.sock";
const writtenAddress = `^(?:unix:/[^\\0]+|(?:https://)?(?:${ipv4Pattern}|\\[[0-9A-Fa-f:.]+\\]):[0-9]{1,5})$`;

/** The absolute path of a socket. A relative one would depend on where the program is started. */
const path = () => textOf(/^\/[^\0]*$/, `a path that begins with /, of at most ${pathBytes} bytes`);

const socket = record({
  unix: path(),
  mode: optional(() => textOf(/^0?[0-7]{3}$/, 'three octal digits in a string, such as "0660"')),
  group: optional(() => systemName("group", 33, textOf(/^[^,]+$/, "the name or the number of a group"))),
});

/** @returns what is expected in place of a text that is no address. */
function meant(text: string): string {
  if (text.startsWith("unix:/")) {
    return `a path of at most ${pathBytes} bytes, and after it no options but mode=0660 and group=NAME`;
  }
  if (text.startsWith("unix:")) return "the absolute path of a socket, such as unix:/run/nound.sock";
  return isListenAddress(`${text}:0`) ? `an address with a port, such as ${text}:8080` : expected;
}

/** A Unix socket as an object, read as one string. */
const socketAddress = () =>
  converted(socket, ({ unix, mode, group }, place) => {
    if (!isSocketPath(unix)) refuse(unix, `${place}.unix`, `a path of at most ${pathBytes} bytes, without options`);
    return `unix:${unix}${mode === undefined ? "" : `,mode=${mode}`}${group === undefined ? "" : `,group=${group}`}`;
  });

/** An address to listen on: a string or, for a Unix socket, an object with `unix`, `mode` and `group`. */
function listenAddress(): Setting<string> {
  return {
    expected,
    // Of an IPv6 address, this checks only the characters.
    schema: () => ({ anyOf: [{ type: "string", pattern: writtenAddress }, socket.schema()] }),
    read: (value, path) => {
      if (isObject(value)) return socketAddress().read(value, path);
      if (typeof value !== "string") return refuse(value, path, expected);
      const isRelative = /^unix:[^/]/.test(value);
      return isListenAddress(value) && !isRelative ? value : refuse(value, path, meant(value));
    },
  };
}

/** @returns the same text for addresses that cannot both be bound; undefined for one that the kernel chooses. */
function boundPlace(given: string): string | undefined {
  const address = sealedAddress(given) ?? given;
  if (address.startsWith("unix:")) return socketPath(address.slice("unix:".length));
  const [, host = "", port] = /^(.*):([0-9]+)$/.exec(address.toLowerCase()) ?? [];
  return Number(port) === 0 ? undefined : `${host}:${Number(port)}`;
}

/** One address or several. An address that is given twice would be in use at the start. */
export function listenAddresses(): Setting<readonly string[]> {
  return checked(oneOrMore(listenAddress()), (addresses, path) => {
    const places = addresses.map(boundPlace);
    places.forEach((place, index) => {
      const first = places.indexOf(place);
      if (place === undefined || first === index) return;
      throw mistake(`${path}[${index}]`, `expected an address that differs from that of ${path}[${first}]`);
    });
  });
}
