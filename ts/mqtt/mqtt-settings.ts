/** What a client of a broker is told, and what it uses. */

import type { Feeds } from "../feeds/feeds.ts";
import type { ServedNouns } from "../feeds/served-nouns.ts";
import type { Connector } from "../native/connector.ts";
import type { Clock } from "../native/loop.ts";
import type { Verb } from "../noun/verb.ts";
import type { Answer } from "../operations/answer.ts";
import type { HomeAssistantSettings } from "./announcement.ts";
import type { CommandsContext } from "./commands.ts";

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

/** What the client uses. */
export interface MqttContext {
  readonly clock: Clock;
  readonly connector: Pick<Connector, "connect">;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
  readonly nouns: ServedNouns;
  readonly feeds: Feeds;
  readonly limits: CommandsContext["limits"];
  /** Receives what has failed. @param what a word or a topic. */
  readonly report: (what: string, description: string) => void;
  /** Receives what came of each command. @param peer the broker. */
  readonly log: (peer: string, verb: Verb, noun: string, answer: Pick<Answer, "status" | "note">) => void;
}
