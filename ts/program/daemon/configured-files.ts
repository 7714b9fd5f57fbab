/** The files of a configuration: itself, its tokens and its password. */
import * as keeper from "nound:keeper";
import type { AccessOptions } from "../../core/access/access.ts";
import { readTokenText, tokensOf } from "../../core/access/token-file.ts";
import type { MqttPlan } from "../../parts/mqtt/mqtt-setting.ts";
import type { MqttOptions } from "../../parts/mqtt/mqtt-settings.ts";
import { guard, system } from "../../platform/platform.ts";
import { isSame } from "../../platform/read-text.ts";
import { attempt, exitStatus, StartError } from "../../platform/start-error.ts";
import { JsonSyntaxError, parseJson } from "../../settings/json.ts";
import { mostMistakes } from "../../settings/most-mistakes.ts";
import { ConfigurationError } from "../../settings/setting.ts";
import type { LeftTokens } from "../application/hand-over.ts";
import type { AccessPlan } from "../configuration/access-setting.ts";
import { type Configuration, readConfiguration } from "../configuration/configuration.ts";

/** Bytes a configuration may have. */
const configurationBytes = 262_144;

/** The largest number of a configuration's mistakes that are printed at once. */
const mostPrinted = 10;

/** The files that are others than those that the process which serves has read; only a check for a reload asks. */
const changed = new Set<string>();

/** Notes a text that was read. @param file what it is. */
export function note(file: string, text: string): void {
  if (!isSame(file, text)) changed.add(file);
}

/** @returns a line for each mistake. */
function told(path: string, mistakes: readonly string[]): readonly string[] {
  const lines = mistakes.slice(0, mostPrinted).map((one) => `${path}: ${one}`);
  const more = Math.min(mistakes.length, mostMistakes) - lines.length;
  if (more <= 0) return lines;
  const count = mistakes.length > mostMistakes ? `more than ${more}` : `${more}`;
  return [...lines, `${path}: ${count} more mistake${more === 1 ? "" : "s"}`];
}

/** What was read of a configuration. */
interface ReadConfiguration {
  /** Without what is wrong; undefined if too little is left. */
  readonly configuration: Configuration | undefined;
  /** A line for each mistake. */
  readonly mistakes: readonly string[];
}

/**
 * Reads a configuration. However slow the device is, all of it is read: the size of the text bounds the work.
 * @throws StartError if it cannot be read, or is no JSON.
 */
export function tryConfiguration(path: string): ReadConfiguration {
  const text =
    keeper.previousConfiguration() ??
    attempt(exitStatus.configuration, () => system.readTextFile(path, configurationBytes, "asRoot"));
  keeper.keepConfiguration(text);
  note("configuration", text);
  try {
    return { configuration: guard.exempt(() => readConfiguration(parseJson(text))), mistakes: [] };
  } catch (error) {
    if (error instanceof ConfigurationError) {
      return { configuration: error.rest as Configuration | undefined, mistakes: told(path, error.mistakes) };
    }
    throw error instanceof JsonSyntaxError
      ? new StartError(`${path}: ${error.message}`, exitStatus.configuration)
      : error;
  }
}

/** Reads a configuration as `tryConfiguration` does. @throws StartError with a line for each mistake. */
export function loadConfiguration(path: string): Configuration {
  const { configuration, mistakes } = tryConfiguration(path);
  if (configuration === undefined || mistakes.length > 0) throw new StartError(mistakes, exitStatus.configuration);
  return configuration;
}

export function loadAccess({ tokens: path, ...access }: AccessPlan): AccessOptions {
  if (path === undefined) return access;
  return attempt(exitStatus.configuration, () => {
    const text = readTokenText(system, path);
    note("tokens", text);
    return { ...access, tokens: tokensOf(path, text) };
  });
}

/**
 * Leaves changed tokens for the process that serves, which may still have requests under way. If nothing else has
 * changed, the check ends here.
 * @param path of the token file. @param isRefused whether all else is refused: then the check goes on, to say why.
 */
export function leaveTokens({ tokens: path }: AccessPlan, isRefused: boolean): void {
  if (path === undefined || !changed.has("tokens")) return;
  const areAlone = changed.size === 1;
  const left: LeftTokens = { areAlone: areAlone || isRefused, text: readTokenText(system, path) };
  keeper.leave(JSON.stringify(left), true);
  keeper.handOver(!areAlone);
}

/** Bytes of a password file: people write a line. */
const passwordBytes = 4_096;

/** @throws Error with a sentence if the password's file cannot be read. */
export function loadMqtt({ password: path, ...mqtt }: MqttPlan): MqttOptions {
  if (path === undefined) return mqtt;
  const text = system.readTextFile(path, passwordBytes, "always");
  note("password", text);
  return { ...mqtt, password: text.replace(/^\uFEFF|\r?\n$/g, "") };
}
