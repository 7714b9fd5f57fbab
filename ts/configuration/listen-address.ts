/** Addresses to listen on in a configuration, and the shell command that reaches one. */
import { isListenAddress, isSocketPath, pathBytes } from "../application/listen-address.ts";
import { ipv4Pattern } from "../grammar/ip-address.ts";
import type { JsonObject } from "./json.ts";
import { optional, record } from "./record.ts";
import { isObject, nonEmptyText, refuse, type Setting, textOf } from "./setting.ts";

const expected = "an address such as 127.0.0.1:8080, [::1]:8080 or unix:/run/nound.sock";
const writtenAddress = `^(?:unix:[^\\0]+|(?:${ipv4Pattern}|\\[[0-9A-Fa-f:.]+\\]):[0-9]{1,5})$`;

const socket = record({
  unix: nonEmptyText(),
  mode: optional(() => textOf(/^0?[0-7]{3}$/, 'three octal digits in a string, such as "0660"')),
  group: optional(() => textOf(/^[^,]+$/, "the name or the number of a group")),
});

/** An address to listen on: a string or, for a Unix socket, an object with `unix`, `mode` and `group`. */
export function listenAddress(): Setting<string> {
  return {
    expected,
    // Of an IPv6 address, this checks only the characters.
    schema: () => ({ anyOf: [{ type: "string", pattern: writtenAddress }, socket.schema()] }),
    read: (value, path) => {
      if (isObject(value)) return readSocket(value, path);
      if (typeof value !== "string") return refuse(value, path, expected);
      if (isListenAddress(value)) return value;
      const isWithoutPort = isListenAddress(`${value}:0`);
      return refuse(value, path, isWithoutPort ? `an address with a port, such as ${value}:8080` : expected);
    },
  };
}

/** @returns the address of a Unix socket as one string. */
function readSocket(value: JsonObject, path: string): string {
  const { unix, mode, group } = socket.read(value, path);
  if (!isSocketPath(unix)) refuse(unix, `${path}.unix`, `a path of at most ${pathBytes} bytes`);
  return `unix:${unix}${mode === undefined ? "" : `,mode=${mode}`}${group === undefined ? "" : `,group=${group}`}`;
}

/**
 * @param address an address as bound.
 * @returns the shell command that reads `/noun` there.
 */
export function curlLine(address: string, noun: string): string {
  if (address.startsWith("unix:")) {
    const path = address.slice("unix:".length).replaceAll("'", "'\\''");
    return `curl --unix-socket '${path}' http://localhost/${noun}`;
  }
  // A client cannot connect to an address that means "any". zsh reads brackets as a pattern, so they are quoted.
  const reachable = address.replace(/^0\.0\.0\.0:/, "127.0.0.1:").replace(/^\[::\]:/, "[::1]:");
  const url = `http://${reachable}/${noun}`;
  return `curl ${reachable.startsWith("[") ? `'${url}'` : url}`;
}
