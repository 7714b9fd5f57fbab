/**
 * What `nound --simulate` serves without a configuration. examples/demo/nound.json is the same configuration, for
 * people to copy and change.
 */
import { system } from "../../platform/platform.ts";
import type { Json } from "../../settings/json.ts";

/** @returns the demonstration as a configuration. */
export const demonstration = (): Json => ({
  $comment: "Four nouns to try. Copy this file and change it.",
  listen: "127.0.0.1:8080",
  nouns: {
    led: { $comment: "POST toggles it", kind: "switch", key: "led", values: [0, 1], default: 0 },
    door: { kind: "switch", key: "door", values: ["closed", "open"] },
    greeting: { $comment: "Takes any flat state", kind: "value", default: { text: "hello" } },
    thermostat: {
      $comment: "Takes only what its shape permits",
      kind: "value",
      default: { target: 20.5, heating: false, mode: "auto" },
      shape: {
        target: { type: "number", minimum: 5, maximum: 30, description: "The room's temperature in degrees Celsius." },
        heating: { type: "boolean" },
        mode: { type: "choice", values: ["auto", "manual"] },
      },
    },
  },
});

/** @param address an address as bound. @returns the URL of the page there; undefined for a Unix socket. */
function pageOf(address: string): string | undefined {
  if (address.startsWith("unix:")) return undefined;
  // A client cannot connect to an address that means "any".
  return `http://${address.replace(/^0\.0\.0\.0:/, "127.0.0.1:").replace(/^\[::\]:/, "[::1]:")}/`;
}

/**
 * @param address an address as bound.
 * @returns the shell command that reads `/noun` there.
 */
export function curlLine(address: string, noun: string): string {
  const page = pageOf(address);
  if (page === undefined) {
    const path = address.slice("unix:".length).replaceAll("'", "'\\''");
    return `curl --unix-socket '${path}' http://localhost/${noun}`;
  }
  const url = page + noun;
  // zsh reads brackets as a pattern.
  return `curl ${url.includes("[") ? `'${url}'` : url}`;
}

/** Prints in one line which nouns are served at which address, and how to try them. */
export function announceDemonstration(addresses: readonly string[], names: Iterable<string>): void {
  const [first = ""] = addresses;
  const page = pageOf(first);
  const tries = [`try: ${curlLine(first, "led")}`, ...(page === undefined ? [] : [`open ${page}`])].join(", or ");
  const where = `serving ${[...names].join(", ")} on ${addresses.join(", ")} for a demonstration`;
  system.printError(`nound: ${where}; ${tries}\n`);
}
