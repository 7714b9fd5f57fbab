/**
 * What `nound --simulate` serves without a configuration. examples/demo/nound.json is the same configuration, for
 * people to copy and change.
 */
import { system } from "../application/platform.ts";
import type { Json } from "../configuration/json.ts";

/** @returns the demonstration as a configuration. */
export const demonstration = (): Json => ({
  $comment: "Four nouns to try. Copy this file and change it.",
  listen: "127.0.0.1:8080",
  nouns: {
    led: { $comment: "POST toggles it", kind: "switch", key: "led", off: 0, on: 1, default: 0 },
    door: { kind: "switch", key: "door", off: "closed", on: "open" },
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

/** Prints in one line which nouns are served at which address, and how to try them. */
export function announceDemonstration(addresses: readonly string[], names: Iterable<string>): void {
  const nouns = [...names].join(", ");
  const curl = curlLine(addresses[0] ?? "", "led");
  system.printError(`nound: serving ${nouns} on ${addresses.join(", ")} for a demonstration; try: ${curl}\n`);
}
