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
      "ts/program/daemon/command-line.ts",
      "ts/program/daemon/configured-files.ts",
      "ts/program/daemon/run-application.ts",
      "ts/program/configuration/configuration.ts",
      "ts/program/configuration/open-listeners.ts",
      "ts/settings/noun-kind.ts",
      "ts/settings/presentation-setting.ts",
      "ts/settings/record.ts",
      "ts/settings/setting.ts",
    ],
    // What few requests need: mistakes, chunks, escapes, failures; hosts, origins and tokens.
    "few-requests": [
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
    // The list of changes: it begins with the first one.
    changes: ["ts/parts/changes/changes.ts", "ts/parts/changes/change-source.ts"],
    // The history of the nouns: it begins with the first who asks for it.
    history: ["ts/parts/history/history.ts", "ts/parts/history/history-route.ts"],
    // Descriptions, metrics, the page, and the streams that the page reads; rules in words.
    documents: [
      "ts/parts/streams/event-streams.ts",
      "ts/parts/documents/document-route.ts",
      "ts/parts/documents/page-route.ts",
      "ts/parts/documents/written-documents.ts",
      "ts/parts/rules/sentence.ts",
    ],
    // The client of a broker with what it tells Home Assistant when, and what a configuration says for them.
    mqtt: ["ts/parts/mqtt/mqtt.ts", "ts/parts/mqtt/mqtt-setting.ts", "ts/settings/home-assistant-setting.ts"],
    // Encrypted connections to servers and from clients, and what a configuration says for them.
    tls: [
      "ts/parts/client/certificate-watch.ts",
      "ts/parts/client/tls.ts",
      "ts/parts/client/tls-setting.ts",
      "ts/parts/tls/https.ts",
      "ts/parts/tls/https-setting.ts",
      "ts/core/server/sealed-clients.ts",
    ],
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
    // Lines, LEDs, PWM channels and sensors that a configuration names, and their simulation.
    hardware: [
      "ts/hardware/kinds/hardware-kinds.ts",
      "ts/hardware/open/input-codes.ts",
      "ts/program/daemon/demonstration.ts",
      "ts/platform/simulated-device.ts",
      "ts/platform/simulated-sources.ts",
    ],
    // Shutters, gates and garage doors.
    cover: ["ts/hardware/kinds/cover-kind.ts"],
    // Units on a serial line or behind a server, and what a configuration says for them.
    modbus: ["ts/parts/modbus/modbus-kind.ts"],
    // The server of Modbus, and what a configuration says for it.
    "modbus-server": ["ts/parts/modbus/server/modbus-server.ts", "ts/parts/modbus/server/setting.ts"],
    // Rules, guards and webhooks, and what a configuration says for them.
    rules: [
      "ts/parts/rules/open-rules.ts",
      "ts/parts/guards/guards.ts",
      "ts/parts/guards/guard-order.ts",
      "ts/parts/guards/mistakes.ts",
      "ts/parts/rules/rule-kind.ts",
      "ts/parts/rules/schedule-kind.ts",
      "ts/parts/rules/rule-setting.ts",
      "ts/settings/conditions.ts",
      "ts/program/daemon/check-nouns.ts",
      "ts/parts/webhook/webhooks.ts",
      "ts/parts/webhook/webhook-kind.ts",
    ],
    // Mirrors of other devices' nouns, and what a configuration says for them.
    mirror: ["ts/parts/mirror/mirrors.ts", "ts/parts/mirror/mirror-kind.ts"],
    // What --help, --new-token, --avahi, --check, --find, --forget and a configuration with mistakes ask for.
    "command-line": [
      "ts/parts/mqtt/retained.ts",
      "ts/program/configuration/former-words.ts",
      "ts/program/daemon/help.ts",
      "ts/program/daemon/new-token.ts",
      "ts/program/daemon/check.ts",
      "ts/program/daemon/certificate.ts",
      "ts/program/daemon/bom.ts",
      "ts/program/daemon/evidence.ts",
      "ts/program/daemon/forget.ts",
      "ts/program/find/find.ts",
      "ts/program/find/find-button.ts",
      "ts/program/find/find-units.ts",
      "ts/core/noun/nearest-word.ts",
    ],
  }).map(([name, modules]) => [name, modules.map((path) => resolve(top, path))]),
);

/** The groups whose code is freed once it was used (passing.mjs). */
export const passingGroups = ["start", "home-assistant-message"];

/**
 * The groups that the program has deflated: what people command, and what is written seldom, can wait for some
 * milliseconds.
 */
export const deflatedGroups = ["command-line", "home-assistant-message"];
