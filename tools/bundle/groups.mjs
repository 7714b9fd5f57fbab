/**
 * The groups of modules that are loaded when they are first needed (deferred.mjs). A group is what one need brings with
 * it. The folder of a part is a group by itself: its `part.ts` is there from the start, and the modules behind it are
 * loaded when it opens the part.
 */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const top = resolve(import.meta.dirname, "../..");

/**
 * What a `part.ts` calls before it opens the part, so that it must be there, and so are the options of a part; and what
 * it passes on from another group.
 */
const apart = ["documents/documents.ts", "guards/guarded-noun.ts", "mqtt/retained.ts", "streams/events-for.ts"];

/** Parts that are opened together: the page reads streams; rules and guards are in one configuration. */
const joined = { guards: "rules", streams: "documents" };

/** @returns the modules behind a `part.ts`: those of its folder from which it imports more than types. */
function behind(door) {
  const imports = readFileSync(join(top, door), "utf8").matchAll(
    /^(?:import|export) (?!type\b)[^;]*? from "\.\/([\w-]+(?<!-options?)\.ts)"/gm,
  );
  const modules = new Set(Array.from(imports, ([, name]) => join(dirname(door), name)));
  return Array.from(modules).filter((path) => !apart.some((one) => path === `ts/parts/${one}`));
}

/** The modules behind the parts, by the names of their groups. */
const parts = {};
for (const path of readdirSync(join(top, "ts/parts"), { recursive: true }).toSorted()) {
  if (!path.endsWith("/part.ts")) continue;
  const folder = dirname(path).replaceAll("/", "-");
  const group = joined[folder] ?? folder;
  parts[group] = [...(parts[group] ?? []), ...behind(join("ts/parts", path))];
}

/** The other modules of the groups, by their names: those that others may reach only through a call. */
const others = {
  // The command line, and the configuration with the files that it names. No server needs it once it serves.
  start: [
    "ts/program/daemon/command-line.ts",
    "ts/program/daemon/configured-files.ts",
    "ts/program/daemon/prepare.ts",
    "ts/program/daemon/register-nouns.ts",
    "ts/program/configuration/configuration.ts",
    "ts/program/configuration/open-listeners.ts",
    "ts/settings/json.ts",
    "ts/settings/noun-kind.ts",
    "ts/settings/presentation-setting.ts",
    "ts/settings/record.ts",
    "ts/settings/setting.ts",
  ],
  // What few requests need: mistakes, chunks, escapes, failures; hosts, origins and tokens.
  "rare-paths": [
    "ts/core/http/head-check.ts",
    "ts/core/http/chunked-body.ts",
    "ts/core/noun/state-mistake.ts",
    "ts/core/noun/string-escapes.ts",
    "ts/platform/error-log.ts",
    "ts/platform/kept-failures.ts",
    "ts/platform/failures.ts",
    "ts/core/access/access.ts",
    "ts/core/access/token-file.ts",
    "ts/program/configuration/access-setting.ts",
    "ts/program/application/read-tokens.ts",
    "ts/program/application/hand-over.ts",
    "ts/parts/mqtt/reason-texts.ts",
  ],
  // Which representation a client prefers, if it may prefer another one than JSON.
  representation: ["ts/core/http/representation.ts"],
  // Descriptions, metrics, the page, and the streams that the page reads; rules in words.
  documents: ["ts/parts/documents/document-route.ts", "ts/parts/documents/page-route.ts", "ts/parts/rules/sentence.ts"],
  // The client of a broker with what it tells Home Assistant when, and what a configuration says for them.
  mqtt: ["ts/settings/home-assistant-setting.ts"],
  // Encrypted connections to servers and from clients, and what a configuration says for them.
  tls: [
    "ts/parts/client/certificate-watch.ts",
    "ts/parts/client/tls.ts",
    "ts/parts/client/tls-setting.ts",
    "ts/core/server/sealed-clients.ts",
  ],
  // Servers that the program connects to, and the date that their certificates are compared with.
  connections: ["ts/parts/client/connections.ts", "ts/platform/kept-date.ts"],
  // Nouns whose states have no bound of their own, and are counted.
  "limited-states": ["ts/core/operations/limited-noun.ts"],
  // States that survive the process.
  "kept-states": ["ts/hardware/nouns/keeping.ts", "ts/hardware/nouns/kept-state.ts"],
  // The message for Home Assistant. It is written seldom.
  "home-assistant-message": [
    "ts/parts/documents/describe/home-assistant/announced-nouns.ts",
    "ts/parts/documents/describe/home-assistant/discovery.ts",
    "ts/parts/documents/describe/home-assistant/choices.ts",
    "ts/parts/documents/describe/home-assistant/classes.ts",
    "ts/parts/documents/describe/home-assistant/refusal.ts",
    "ts/parts/documents/describe/home-assistant/things.ts",
    "ts/parts/documents/describe/home-assistant/values.ts",
    "ts/core/noun/device-classes.ts",
  ],
  // GPIO lines that are set, and those that are read.
  outputs: ["ts/hardware/kinds/gpio-output-kind.ts"],
  "gpio-inputs": ["ts/hardware/kinds/gpio-input-kind.ts"],
  // Buttons, switches and counters of the kernel's input devices.
  inputs: ["ts/hardware/kinds/input-kind.ts", "ts/hardware/open/input-codes.ts"],
  // LEDs and PWM channels, also those that an earlier process has left.
  leds: ["ts/hardware/kinds/led-and-pwm-kinds.ts", "ts/hardware/nouns/inherited-hardware.ts"],
  // Sensors, and other attributes of the kernel.
  sensors: ["ts/hardware/kinds/sensor-kinds.ts", "ts/hardware/open/converter-channel.ts"],
  // The simulated device.
  simulation: [
    "ts/program/daemon/demonstration.ts",
    "ts/platform/simulated-device.ts",
    "ts/platform/simulated-sources.ts",
  ],
  // The first token of a device that has none.
  pairing: ["ts/parts/pairing/part.ts"],
  // Shutters, gates and garage doors.
  cover: ["ts/hardware/kinds/cover-kind.ts"],
  // Units on a serial line or behind a server, and what a configuration says for them.
  modbus: ["ts/parts/modbus/modbus-kind.ts"],
  // Rules, guards and webhooks, and what a configuration says for them.
  rules: [
    "ts/parts/rules/rule-setting.ts",
    "ts/settings/conditions.ts",
    "ts/program/daemon/check-nouns.ts",
    "ts/parts/webhook/webhooks.ts",
    "ts/parts/webhook/webhook-kind.ts",
  ],
  // Mirrors of other devices' nouns, and what a configuration says for them.
  mirror: ["ts/parts/mirror/mirrors.ts", "ts/parts/mirror/mirror-kind.ts"],
  // The commands, all but to serve.
  "command-line": ["ts/parts/mqtt/retained.ts", "ts/program/daemon/commands.ts"],
  // What took the place of the words of earlier versions, and which word may have been meant by an unknown one.
  "unknown-words": ["ts/program/configuration/former-words.ts", "ts/core/noun/nearest-word.ts"],
};

/** The modules of each group, by its name. */
export const groups = Object.fromEntries(
  [...new Set([...Object.keys(others), ...Object.keys(parts)])].map((name) => [
    name,
    [...(parts[name] ?? []), ...(others[name] ?? [])].map((path) => resolve(top, path)),
  ]),
);

/** The groups whose code is freed once it was used (passing.mjs). */
export const passingGroups = ["start", "unknown-words", "home-assistant-message"];

/**
 * The groups that the program has deflated: what a device does once, or writes seldom, can wait for some milliseconds.
 * These make the program 5 KB smaller. An archive of it is larger by what is deflated here, so few groups are.
 */
export const deflatedGroups = ["history", "pairing"];

/** Those that are deflated besides where a program has texts in place of bytecode: they are twice as large. */
export const deflatedTexts = ["command-line", "unknown-words", "home-assistant-message"];
