/** The files of a configuration: itself, its tokens and its password. */
import * as keeper from "nound:keeper";
import type { AccessOptions } from "../../core/access/access.ts";
import { readTokenText, tokensOf } from "../../core/access/token-file.ts";
import { presented } from "../../core/noun/description.ts";
import { hardware, interruption, system } from "../../platform/platform.ts";
import { isSame } from "../../platform/read-text.ts";
import { attempt, exitStatus, StartError } from "../../platform/start-error.ts";
import { type Json, type JsonObject, JsonSyntaxError, parseJson } from "../../settings/json.ts";
import { mostMistakes } from "../../settings/most-mistakes.ts";
import { ConfigurationError } from "../../settings/setting.ts";
import { areOutputsAsked, type Outputs, outputsOf } from "../application/guarded-outputs.ts";
import type { ServerOptions } from "../application/parts.ts";
import { type Configuration, readConfiguration } from "../configuration/configuration.ts";

/** Bytes a configuration may have. */
const configurationBytes = 262_144;

/** The largest number of a configuration's mistakes that are printed at once. */
const mostPrinted = 10;

/** The files that are others than those that the process which serves has read; only a check for a reload asks. */
const changed = new Set<string>();

/** @returns what differs from what the process that serves has read. */
export function changedFiles(): ReadonlySet<string> {
  return changed;
}

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

/** Options of a noun that only people, its guard and who watches it notice. */
const words: readonly string[] = [...presented, "labels", "deviceClass", "poll"];

/** @returns for each noun of a configuration, by its name in lower case, a text of what it is. */
function textsOf(written: Json): ReadonlyMap<string, string> {
  return new Map(
    Object.entries((written as { readonly nouns: { readonly [name: string]: JsonObject } }).nouns).map(
      ([name, options]) => {
        const own = Object.entries(options).filter(([option]) => !words.includes(option));
        return [name.toLowerCase(), JSON.stringify(own)];
      },
    ),
  );
}

/** @returns in a check, the nouns of the next process that are as now, if the process that serves has guards. */
function unchangedIn(written: Json): Outputs | undefined {
  if (!(keeper.isChecker() && areOutputsAsked())) return undefined;
  const served = keeper.previousConfiguration(true);
  const before = served === undefined ? new Map() : textsOf(parseJson(served));
  const unchanged = Array.from(textsOf(written)).filter(([name, text]) => before.get(name) === text);
  return outputsOf(unchanged.map(([name]) => name));
}

/** What was read of a configuration. */
interface ReadConfiguration {
  /** Without what is wrong; undefined if too little is left. */
  readonly configuration: Configuration | undefined;
  /** A line for each mistake. */
  readonly mistakes: readonly string[];
  /** In a check, for the process that serves. */
  readonly outputs?: Outputs | undefined;
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
    return interruption.exempt(() => {
      const written = parseJson(text);
      const configuration = readConfiguration(written);
      return { configuration, mistakes: [], outputs: unchangedIn(written) };
    });
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

/** What says who may ask. */
export type AccessFiles = Pick<Configuration, "access" | "pairing">;

/** @returns the text of the token file: "" for one that is not there yet, because pairing makes it. */
export function tokenTextOf({ pairing }: AccessFiles, path: string): string {
  return pairing && system.accessOf(path) === undefined ? "" : readTokenText(system, path);
}

/** @throws StartError if the token file cannot be used. */
export function loadAccess(configuration: AccessFiles): AccessOptions {
  const { tokens: path, required: _, ...access } = configuration.access;
  if (path === undefined) return access;
  return attempt(exitStatus.configuration, () => {
    const text = tokenTextOf(configuration, path);
    note("tokens", text);
    return { ...access, tokens: tokensOf(path, text, configuration.pairing !== undefined) };
  });
}

/**
 * Opens the folder of states for what is written there later, because it cannot be opened then.
 * @param lacksToken whether nobody has a token yet.
 * @throws StartError without the folder.
 */
export function openStates(
  { access: { tokens = "" }, pairing, device, stateDirectory = "" }: Configuration,
  lacksToken: boolean,
): Pick<ServerOptions, "pairing" | "historyStore"> {
  const gives = lacksToken ? pairing : undefined;
  if (gives === undefined && device.keepsHistory !== true) return {};
  const store = attempt(exitStatus.unavailable, () => hardware().storage.openStore(stateDirectory));
  const name = tokens.slice(tokens.lastIndexOf("/") + 1);
  return {
    ...(device.keepsHistory === true && { historyStore: store }),
    pairing: gives && { ...gives, keep: (text) => store.write(name, text) },
  };
}

/** Bytes of a password file: people write a line. */
const passwordBytes = 4_096;

/** @throws Error with a sentence if the password's file cannot be read. */
export function loadMqtt({
  password: path,
  ...mqtt
}: NonNullable<Configuration["mqtt"]>): NonNullable<ServerOptions["mqtt"]> {
  if (path === undefined) return mqtt;
  const text = system.readTextFile(path, passwordBytes, "always");
  note("password", text);
  return { ...mqtt, password: text.replace(/^\uFEFF|\r?\n$/g, "") };
}
