/** Addresses to listen on in a configuration. */

import { ipv4Pattern } from "../../core/grammar/ip-address.ts";
import { isListenAddress, pathBytes, sealedAddress, socketPath } from "../../platform/listen-address.ts";
import { oneOrMore } from "../../settings/record.ts";
import { checked, mistake, refuse, type Setting } from "../../settings/setting.ts";

const expected = "an address such as 127.0.0.1:8080, https://0.0.0.0:8443 or unix:/run/nound.sock";
const writtenAddress = `^(?:unix:/[^\\0]+|(?:https://)?(?:${ipv4Pattern}|\\[[0-9A-Fa-f:.]+\\]):[0-9]{1,5})$`;

/** @returns what is expected in place of a text that is no address. */
function meant(text: string): string {
  if (text.startsWith("unix:/")) {
    return `a path of at most ${pathBytes} bytes, and after it no options but mode=0660 and group=NAME`;
  }
  if (text.startsWith("unix:")) return "the absolute path of a socket, such as unix:/run/nound.sock";
  return isListenAddress(`${text}:0`) ? `an address with a port, such as ${text}:8080` : expected;
}

/** An address to listen on. */
function listenAddress(): Setting<string> {
  return {
    expected,
    // Of an IPv6 address, this checks only the characters.
    schema: () => ({ type: "string", pattern: writtenAddress }),
    read: (value, path) => {
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
