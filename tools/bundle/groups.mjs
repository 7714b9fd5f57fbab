/**
 * The groups of modules that are loaded when they are first needed (deferred.mjs). A group is what one need brings with
 * it.
 */

import { resolve } from "node:path";

const top = resolve(import.meta.dirname, "../..");

/**
 * The modules of each group, by its name: those that the modules of no other group and of the start may reach only
 * through a call.
 */
export const groups = Object.fromEntries(
  Object.entries({
    // The command line, and the configuration with the files that it names. No server needs it once it serves.
    start: [
      "ts/daemon/command-line.ts",
      "ts/daemon/configured-files.ts",
      "ts/daemon/run-application.ts",
      "ts/configuration/configuration.ts",
      "ts/configuration/noun-kind.ts",
      "ts/configuration/presentation-setting.ts",
      "ts/configuration/record.ts",
      "ts/configuration/setting.ts",
    ],
    // What few requests need: mistakes, chunks, escapes, failures; hosts, origins and tokens.
    "few-requests": [
      "ts/http/head-check.ts",
      "ts/http/chunked-body.ts",
      "ts/noun/state-mistake.ts",
      "ts/noun/string-escapes.ts",
      "ts/application/error-log.ts",
      "ts/application/kept-failures.ts",
      "ts/application/failures.ts",
      "ts/access/access.ts",
      "ts/access/token-file.ts",
      "ts/configuration/access-setting.ts",
      "ts/application/read-tokens.ts",
      "ts/application/hand-over.ts",
      "ts/mqtt/reason-texts.ts",
    ],
    // The list of changes: it begins with the first one.
    changes: ["ts/application/open-changes.ts"],
    // The history of the nouns: it begins with the first who asks for it.
    history: ["ts/application/open-history.ts", "ts/documents/history-route.ts"],
    // Descriptions, metrics, the page, and the streams that the page reads; rules in words.
    documents: [
      "ts/streams/event-streams.ts",
      "ts/documents/document-route.ts",
      "ts/documents/page-route.ts",
      "ts/documents/written-documents.ts",
      "ts/rules/sentence.ts",
    ],
    // The client of a broker with what it tells Home Assistant when, and what a configuration says for them.
    mqtt: [
      "ts/application/mqtt.ts",
      "ts/configuration/mqtt-setting.ts",
      "ts/mqtt/announcement.ts",
      "ts/configuration/home-assistant-setting.ts",
    ],
    // Encrypted connections to servers and from clients, and what a configuration says for them.
    tls: [
      "ts/application/tls.ts",
      "ts/configuration/tls-setting.ts",
      "ts/application/https.ts",
      "ts/server/sealed-clients.ts",
    ],
    // The message for Home Assistant. It is written seldom.
    "home-assistant-message": [
      "ts/describe/home-assistant/discovery.ts",
      "ts/describe/home-assistant/choices.ts",
      "ts/describe/home-assistant/classes.ts",
      "ts/describe/home-assistant/refusal.ts",
      "ts/describe/home-assistant/things.ts",
      "ts/describe/home-assistant/values.ts",
      "ts/noun/device-classes.ts",
    ],
    // Lines, LEDs, PWM channels and sensors that a configuration names, and their simulation.
    hardware: [
      "ts/configuration/hardware-kinds.ts",
      "ts/hardware/input-codes.ts",
      "ts/daemon/demonstration.ts",
      "ts/application/simulated-device.ts",
      "ts/application/simulated-sources.ts",
    ],
    // Units on a serial line or behind a server, and what a configuration says for them.
    modbus: ["ts/configuration/kinds/modbus-kind.ts"],
    // Rules, guards and webhooks, and what a configuration says for them.
    rules: [
      "ts/application/open-rules.ts",
      "ts/configuration/kinds/rule-kind.ts",
      "ts/configuration/rule-setting.ts",
      "ts/daemon/check-nouns.ts",
      "ts/application/webhooks.ts",
      "ts/configuration/kinds/webhook-kind.ts",
    ],
    // Mirrors of other devices' nouns, and what a configuration says for them.
    mirror: ["ts/application/mirrors.ts", "ts/configuration/kinds/mirror-kind.ts"],
    // What --help, --new-token, --avahi, --check and --find ask for.
    "command-line": [
      "ts/daemon/help.ts",
      "ts/daemon/new-token.ts",
      "ts/daemon/check.ts",
      "ts/daemon/certificate.ts",
      "ts/find/find.ts",
      "ts/find/find-button.ts",
      "ts/find/find-mirrors.ts",
      "ts/find/find-units.ts",
      "ts/noun/nearest-word.ts",
    ],
  }).map(([name, modules]) => [name, modules.map((path) => resolve(top, path))]),
);

/** The groups whose code is freed once it was used (passing.mjs). */
export const passingGroups = ["start", "home-assistant-message"];
