/** The client of a server's broker. This module is loaded by a server that has one. */
import * as keeper from "nound:keeper";
import { grantOf } from "../../core/access/grant.ts";
import { isPrivateAddress } from "../../core/grammar/server-address.ts";
import { problemDocument } from "../../core/http/response.ts";
import type { Host } from "../../core/server/host.ts";
import { openFeeds } from "../../core/server/open-feeds.ts";
import type { Part } from "../../core/server/part.ts";
import { derivedId } from "../../platform/device-id.ts";
import { machineId } from "../../platform/device-model.ts";
import { logError, logFailure, logLine } from "../../platform/log.ts";
import { machine } from "../../platform/machine.ts";
import { freePassingParts } from "../../platform/passing-parts.ts";
import { hardware, hash, loop, system } from "../../platform/platform.ts";
import { randomNumber } from "../../platform/random-number.ts";
import { connect, numberOf } from "../client/connections.ts";
import type { DeviceOptions } from "../documents/part.ts";
import type { KeptTopic } from "./announcement.ts";
import { brokerMeasures } from "./broker-measures.ts";
import { MqttClient } from "./mqtt-client.ts";
import {
  intervalRange,
  isBroker,
  keepAliveRange,
  type MqttOptions,
  type MqttSettings,
  mostGroups,
  mqttNamePattern,
  mqttPrefixPattern,
  spreadRange,
} from "./mqtt-settings.ts";

/** @returns what always names the device: its id, or one that follows from the machine's; undefined without both. */
function identity({ id }: DeviceOptions): string | undefined {
  if (id !== undefined) return id.toLowerCase();
  const own = machineId();
  return own && derivedId(hash, own, "");
}

/** @returns the first label of the host's name, and eight digits of the device's identity; undefined without one. */
function usualId(device: DeviceOptions): string | undefined {
  const label = system
    .hostName()
    .replace(/[^A-Za-z0-9_-]/g, "-")
    .slice(0, 55);
  const digits = identity(device)?.slice(0, 8);
  return digits && `${label}-${digits}`;
}

/** @returns the topic of the last announcement, in the folder of states. Without the folder, none is kept. */
export function keptTopic(folder: string): KeptTopic {
  const name = "mqtt-announced";
  const store = hardware().storage.openStore(folder);
  let topic = store.read(name) || undefined;
  return {
    topic,
    keep(announced) {
      if (announced === topic) return;
      topic = announced;
      try {
        store.write(name, announced);
      } catch (error) {
        logError("mqtt", error);
      }
    },
  };
}

function check(isRight: boolean, sentence: string): void {
  if (!isRight) throw new TypeError(sentence);
}

function isWithin(
  value: number,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): boolean {
  return Number.isInteger(value) && value >= minimum && value <= maximum;
}

/** @returns the URL of the page for other machines, by mDNS with the host's name if nound listens on all addresses. */
function pageAddress(bound: string, host: string): string | undefined {
  const [, scheme = "http", listens = ""] = /^(?:(https):\/\/)?(.*)$/.exec(bound) ?? [];
  if (/^(?:unix:|127\.|\[::1\]:)/.test(listens)) return undefined;
  const [, port = ""] = /^(?:0\.0\.0\.0|\[::\])(:[0-9]+)$/.exec(listens) ?? [];
  if (port === "") return `${scheme}://${listens}/`;
  return /^[A-Za-z0-9-]+$/.test(host) ? `${scheme}://${host}.local${port}/` : undefined;
}

/** @returns the first of the pages that other machines can open. */
function pageOf(listens: readonly string[], host: string): string | undefined {
  return listens.map((one) => pageAddress(one, host)).find((page) => page !== undefined);
}

/** @throws TypeError naming an option that is malformed; Error with a sentence if there is no id. */
export function settingsOf(options: MqttOptions, device: DeviceOptions, listens: readonly string[] = []): MqttSettings {
  const { prefix = "nound", group = [], may = "* *", keepAlive = 30_000, interval = 200, user, password } = options;
  const { homeAssistant = false, spread = 2_000 } = options;
  const groups = [group].flat();
  const discoveryPrefix = homeAssistant === true ? "homeassistant" : homeAssistant;
  const brokers = [options.server].flat();
  const id = options.id ?? usualId(device);
  if (id === undefined) throw new Error("mqtt.id is missing, and this device has no id to make it from");
  check(
    brokers.length > 0 && brokers.every(isBroker),
    "A broker is HOST:PORT, [IPv6]:PORT, unix:PATH or mqtts://HOST.",
  );
  check(mqttNamePattern.test(id), "The id of a device at its broker has 1 to 64 characters of A-Z a-z 0-9 _ -.");
  check(mqttPrefixPattern.test(prefix), "The prefix of topics has up to five levels of A-Z a-z 0-9 _ -.");
  check(
    groups.length <= mostGroups && groups.every((group) => mqttNamePattern.test(group)),
    `There are at most ${mostGroups} groups, each with a name of A-Z a-z 0-9 _ -.`,
  );
  check(!groups.includes(id), "The groups of a device must not contain its own id.");
  check(isWithin(keepAlive, keepAliveRange), "keepAlive is a whole number of ms from 5000 to 1200000.");
  check(isWithin(spread, spreadRange), "spread is a whole number of milliseconds from 0 to 600000.");
  check(isWithin(interval, intervalRange), "interval is a whole number of milliseconds from 0 to 60000.");
  check(
    discoveryPrefix === false || mqttPrefixPattern.test(discoveryPrefix),
    "homeAssistant is true, false, or up to five levels of A-Z a-z 0-9 _ -.",
  );
  const grant = grantOf("may", may);
  // At once: after the start, nound may not ask for the name.
  const host = system.hostName();
  const { title = host, address } = device;
  return {
    brokers,
    id,
    user,
    password,
    prefix,
    groups,
    allows: (verb, noun) => (noun === undefined ? grant.verbs.includes(verb) : grant.allows(verb, noun)),
    keepAlive: Math.round(keepAlive / 1_000),
    spread,
    interval,
    homeAssistant:
      discoveryPrefix === false
        ? undefined
        : {
            prefix: discoveryPrefix,
            id: device.id?.toLowerCase() ?? options.id ?? identity(device) ?? id,
            title,
            label: id,
            version: system.version,
            ...machine(),
            area: device.area,
            address: () => address ?? pageOf(listens, host),
          },
    resumes: keeper.isSuccessor(),
  };
}

/**
 * Names the brokers, too.
 * @returns what a person should know about the options; nothing if all is well.
 * @throws TypeError or Error with a sentence when they cannot be used.
 */
export function adviceOnMqtt(options: MqttOptions, device: DeviceOptions): readonly string[] {
  const { brokers, password } = settingsOf(options, device);
  for (const broker of brokers) numberOf(broker, options.tls, true);
  if (password === undefined) return [];
  return brokers
    .filter((broker) => !isPrivateAddress(broker))
    .map(
      (broker) =>
        `the password for ${broker} leaves this device unencrypted: write mqtts:// before a broker that has TLS`,
    );
}

/** What the broker is told of an update that went back by itself (native/keeper/trial.h). */
const givenUp = "The program that was installed last failed. The one before it runs again; the log says why.";

/**
 * Begins to connect. To be called before `restrict`, which forks the connector.
 * @param listens the addresses that the server listens on. Those that come later are added.
 * @throws TypeError or Error with a sentence.
 */
export function openMqtt(options: MqttOptions, device: DeviceOptions, host: Host, listens: readonly string[]): Part {
  const settings = settingsOf(options, device, listens);
  const numbers = settings.brokers.map((broker) => numberOf(broker, options.tls, true));
  const { homeAssistant } = settings;
  const { stateDirectory } = options;
  const kept = stateDirectory === undefined || homeAssistant === undefined ? undefined : keptTopic(stateDirectory);
  const client = new MqttClient(
    { ...settings, homeAssistant: homeAssistant && { ...homeAssistant, kept } },
    {
      clock: loop,
      connector: { connect: (broker, time, done) => connect(numbers[broker] ?? 0, time, done) },
      random: randomNumber,
      forget: freePassingParts,
      nouns: host.nouns,
      feeds: openFeeds(host),
      limits: host.limits,
      accepted: () => {
        keeper.online();
        return keeper.hasGoneBack() ? problemDocument(500, givenUp) : undefined;
      },
      report: logFailure,
      log: (peer, verb, noun, { status, note }) =>
        logLine(`${peer} ${verb} /${noun} ${status}${note === "" ? "" : ` ${note}`} (mqtt)`),
    },
  );
  loop.onStandstill((duration) => client.onStandstill(duration));
  return {
    // The process is on trial until its broker has accepted it.
    confirmsStart: true,
    measures: () => brokerMeasures(client.counts),
    replaced: (name, noun) => {
      if (noun !== undefined) client.registered(name);
    },
    finish: () => client.close(),
  };
}
