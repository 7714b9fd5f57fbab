/** The settings of the client of a broker: as an application gives them, their forms, and as the client has them. */

import type { Feeds } from "../../core/feeds/feeds.ts";
import type { NounDirectory } from "../../core/feeds/noun-directory.ts";
import { serverAddress } from "../../core/grammar/server-address.ts";
import type { Verb } from "../../core/noun/verb.ts";
import type { Answer } from "../../core/operations/answer.ts";
import type { Connector } from "../../native/connector.ts";
import type { Clock } from "../../native/loop.ts";
import type { TlsOptions } from "../../native/tls-options.ts";
import type { HomeAssistantSettings } from "./announcement.ts";

/**
 * A broker of MQTT 5.0: the device publishes its states there, and takes commands from it.
 *
 * @example
 * const mqtt: MqttOptions = { server: "192.0.2.10:1883", id: "hall", group: "lamps" };
 * const server = new Server({ mqtt });
 */
export interface MqttOptions {
  /**
   * `HOST:PORT`, `[v6]:PORT` or `unix:PATH`, `mqtts://HOST[:PORT]` for one that is encrypted, or a list of them, which
   * are tried in turn.
   */
  readonly server: string | readonly string[];
  /** How the connection to a broker with `mqtts://` is encrypted. */
  readonly tls?: TlsOptions;
  /**
   * 1 to 64 of `A-Z a-z 0-9 _ -`, unique at the broker: the client identifier, and a level of the topics. If left out,
   * it is made from the host's name and the device's `id`.
   */
  readonly id?: string;
  /** The name that the broker knows; none if left out. */
  readonly user?: string;
  /** The password of that name. It leaves the device unencrypted, unless the broker is on the device or `mqtts://`. */
  readonly password?: string;
  /** The first level of all topics, or several with slashes between them; `nound` if left out. */
  readonly prefix?: string;
  /** A name that reaches this device too, like an `id`, or a list of at most 14. */
  readonly group?: string | readonly string[];
  /**
   * What the broker may do, as the columns of verbs and nouns in a token file: `GET,PUT led,relay.*`. Everything if
   * left out.
   */
  readonly may?: string;
  /** ms of silence after which the broker is asked whether it is there: 5000 to 1200000; 30000 if left out. */
  readonly keepAlive?: number;
  /**
   * ms of the longest random wait before the first connection, and after a lost one: 0 to 600000; 2000 if left out. A
   * fleet has 10000 or more, so that its devices do not come back at once.
   */
  readonly spread?: number;
  /**
   * ms in which a noun that changes by itself earns one message: 0 to 60000; 200 if left out. It saves ten. The state
   * after a command of the broker is published at once.
   */
  readonly interval?: number;
  /**
   * Whether the device announces itself to Home Assistant, or the first levels of the topics of its discovery if they
   * are not `homeassistant`. False if left out.
   */
  readonly homeAssistant?: boolean | string;
  /**
   * The folder that keeps where the device announced itself last: if its id changes, Home Assistant then loses the old
   * entities. If left out, they stay there.
   */
  readonly stateDirectory?: string;
}

/** The form of an `id`, and of the name of a group. */
export const mqttNamePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Some brokers take 7 slashes in a topic, and 256 bytes. */
export const mqttPrefixPattern = /^(?=.{1,100}$)[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+){0,4}$/;

export const mostGroups = 14;
export const keepAliveRange = { minimum: 5_000, maximum: 1_200_000 };
export const spreadRange = { minimum: 0, maximum: 600_000 };
export const intervalRange = { minimum: 0, maximum: 60_000 };

/** The form of a broker's address; its port and the length of its parts apart. */
export const brokerPattern =
  /^(?:unix:\/[^\0]+|(?:mqtts?:\/\/)?(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?):[0-9]{1,5}|mqtts?:\/\/(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?))$/;

/** @returns whether a text is a broker's address. The name may still be unknown. */
export function isBroker(text: string): boolean {
  if (!brokerPattern.test(text)) return false;
  if (text.startsWith("unix:")) return text.length <= "unix:".length + 107;
  const { target } = serverAddress(text);
  const colon = target.lastIndexOf(":");
  const port = Number(target.slice(colon + 1));
  return colon <= 253 && port >= 1 && port <= 65_535;
}

/** A broker, and what this device is to it. */
export interface MqttSettings {
  /** The addresses, as they are logged; a target of the connector has the same number. */
  readonly brokers: readonly string[];
  readonly id: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly prefix: string;
  readonly groups: readonly string[];
  /** Says whether a verb is allowed on a noun; undefined stands for any noun. */
  readonly allows: (verb: Verb, noun: string | undefined) => boolean;
  /** Whether the program was reloaded: the process before this one may have a session at the broker. */
  readonly resumes?: boolean;
  /** s */
  readonly keepAlive: number;
  /** ms of the longest wait before the first connection, and after a lost one. */
  readonly spread: number;
  /** ms */
  readonly interval: number;
  /** Undefined if Home Assistant is not told about the device. */
  readonly homeAssistant?: HomeAssistantSettings | undefined;
}

/** The dependencies of the client. */
export interface MqttContext {
  readonly clock: Clock;
  /** It throws nothing. */
  readonly connector: Pick<Connector, "connect">;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
  readonly nouns: NounDirectory;
  readonly feeds: Feeds;
  readonly limits: { readonly bodyBytes: number; readonly statePairs: number };
  /** Frees code that has been used (`freePassingParts`). */
  readonly forget: () => void;
  /** Called when the broker has accepted the device. @returns a problem document of the device, to be published. */
  readonly accepted: () => string | undefined;
  /** Receives what has failed. @param what a word or a topic. */
  readonly report: (what: string, description: string) => void;
  /** Receives what came of each command. @param peer the broker. */
  readonly log: (peer: string, verb: Verb, noun: string, answer: Pick<Answer, "status" | "note">) => void;
}
