/**
 * The configuration: what the stock program serves, where, and within which limits. docs/configuration.md describes it
 * for people who write one.
 */

import { type NounName, parseNounName } from "../../core/noun/name.ts";
import { completeServerLimits } from "../../core/server/options.ts";
import type { TlsOptions } from "../../native/tls-options.ts";
import type { Milliseconds } from "../../native/units.ts";
import { tlsSetting } from "../../parts/client/tls-setting.ts";
import { addressPattern, type DeviceOptions, uuidPattern } from "../../parts/documents/part.ts";
import { type ModbusServerOptions, modbusServerSetting } from "../../parts/modbus/server/part.ts";
import { type MqttPlan, mqttPlan } from "../../parts/mqtt/part.ts";
import type { Location } from "../../parts/rules/part.ts";
import { type HttpsOptions, httpsSetting } from "../../parts/tls/part.ts";
import { sealedAddress } from "../../platform/listen-address.ts";
import type { LogLevel } from "../../platform/log.ts";
import { definitions } from "../../settings/conditions.ts";
import type { Json, JsonObject } from "../../settings/json.ts";
import { type NounPlan, unreadNoun } from "../../settings/noun-kind.ts";
import { mapOf, moreThanComment, namesOfNouns, optional, record, variant, withDefault } from "../../settings/record.ts";
import {
  absolutePath,
  ConfigurationError,
  choice,
  converted,
  found,
  isObject,
  type JsonSchema,
  keyPath,
  Mistakes,
  mistake,
  nonEmptyText,
  type Setting,
  systemName,
  text,
  textOf,
  withKeywords,
} from "../../settings/setting.ts";
import { type AccessPlan, accessPlan } from "./access-setting.ts";
import { documentsServed, type ServedOptions, withoutDocumentOf } from "./documents-setting.ts";
import { migrated, withFormerWords } from "./former-words.ts";
import { type LimitsPlan, planLimits } from "./limits-plan.ts";
import { limitsSetting } from "./limits-setting.ts";
import { listenAddresses } from "./listen-setting.ts";
import { nounKinds } from "./noun-kinds.ts";

/** The user to become. The device looks up its names or numbers later. */
export interface Account {
  readonly user: string;
  /** If undefined, the user's own group. */
  readonly group: string | undefined;
}

/** Who gets the first token of a device that has none. */
export interface PairingPlan {
  /** The noun whose press lets a client in; undefined without one. */
  readonly button: NounName | undefined;
  /** Whether the first minutes after the device was switched on let a client in, too. */
  readonly atStart: boolean;
}

/** A configuration that has been checked. Nothing in it has been made or opened yet. */
export interface Configuration {
  /** What it calls as an earlier version did, a sentence each that begins with the JSON path. */
  readonly former?: readonly string[];
  /** The addresses to listen on, at least one. */
  readonly listen: readonly string[];
  /** The limits that differ from the defaults. */
  readonly limits: LimitsPlan;
  /** Access; the token file is not yet read. */
  readonly access: Omit<AccessPlan, "pairs">;
  /** Who gets the device's first token; undefined for nobody. */
  readonly pairing: PairingPlan | undefined;
  /** The broker; undefined without one. */
  readonly mqtt: MqttPlan | undefined;
  /** How connections to other servers are encrypted, unless they have settings of their own. */
  readonly tls: TlsOptions | undefined;
  /** The certificate for clients; undefined for one that nound makes itself. */
  readonly https: HttpsOptions | undefined;
  /** The server of Modbus; undefined without one. */
  readonly modbusServer: ModbusServerOptions | undefined;
  /** What is written to standard error while it serves. */
  readonly log: LogLevel;
  /** The user to become once everything is open. */
  readonly account: Account | undefined;
  /** How the device describes itself. */
  readonly device: DeviceOptions & ServedOptions;
  /** The folder for states that survive a restart. It is given if any noun keeps its state. */
  readonly stateDirectory: string | undefined;
  /** Where the device is, for times of the sun. */
  readonly location: Location | undefined;
  /** The nouns by their lower-case names, in the order of the file, at least one. */
  readonly nouns: Map<NounName, NounPlan>;
}

/** The nouns as they are written, in the order of the text. */
type WrittenNouns = readonly (readonly [string, NounPlan])[];

/** A noun of any kind. Of a noun that cannot be read, the rest is its place: rules may name it. */
function anyNoun(): Setting<NounPlan> {
  const noun = variant("kind", nounKinds);
  return {
    ...noun,
    read(value, path) {
      try {
        return noun.read(value, path);
      } catch (error) {
        const mistakes = new Mistakes();
        return mistakes.finish(mistakes.takeFrom<NounPlan>(error) ?? unreadNoun(path));
      }
    },
  };
}

function nounsSetting(): Setting<WrittenNouns> {
  const nouns = mapOf(anyNoun(), "an object with a key for each noun");
  return withKeywords(nouns, () => ({ ...namesOfNouns(), ...moreThanComment() }));
}

/** Degrees, north and east of Greenwich. */
function location(): Setting<Location> {
  const expected = 'the degrees north and east, such as "52.5,13.4"';
  const latitude = "-?(?:90(?:\\.0+)?|[0-8]?[0-9](?:\\.[0-9]+)?)";
  const longitude = "-?(?:180(?:\\.0+)?|(?:1[0-7][0-9]|[0-9]{1,2})(?:\\.[0-9]+)?)";
  return converted(textOf(new RegExp(`^${latitude}, ?${longitude}$`), expected), (text) => {
    const [latitude = 0, longitude = 0] = text.split(",").map(Number);
    return { latitude, longitude };
  });
}

/** The setting of a whole configuration. A function makes it, so that its memory is free after the reading. */
const configurationSetting = () =>
  record({
    $schema: optional(text),
    listen: withDefault(listenAddresses, ["127.0.0.1:8080"]),
    limits: withDefault(limitsSetting, {}),
    access: withDefault(accessPlan, { pairs: false }),
    mqtt: optional(mqttPlan),
    tls: optional(tlsSetting),
    https: optional(httpsSetting),
    user: optional(() => systemName("user", 65_534)),
    group: optional(() => systemName("group", 65_534)),
    log: withDefault(() => choice("none", "errors", "requests"), "none"),
    stateDirectory: optional(absolutePath),
    location: optional(location),
    title: optional(nonEmptyText),
    area: optional(nonEmptyText),
    id: optional(() => textOf(uuidPattern, "a UUID such as 7a1c0f4e-0f3b-4c59-9d3e-5a0f3b1c2d4e")),
    url: optional(() => textOf(addressPattern, "a URL such as https://hall.example, without query and fragment")),
    modbusServer: optional(modbusServerSetting),
    documents: optional(documentsServed),
    nouns: nounsSetting(),
  });

/**
 * @param value the configuration as JSON.
 * @throws ConfigurationError naming for each mistake the JSON path, what was expected and what was found. Its rest is
 *   the configuration without what is wrong, or undefined.
 */
export function readConfiguration(value: Json): Configuration {
  try {
    return readToday(value);
  } catch (error) {
    if (!(error instanceof ConfigurationError && isObject(value))) throw error;
    return readFormer(value, error);
  }
}

/** Reads a configuration that has mistakes today, but may have had none before. @throws as `readConfiguration`. */
function readFormer(value: JsonObject, { mistakes, rest }: ConfigurationError): Configuration {
  const { result, former } = migrated(value);
  const told = withFormerWords(mistakes, former);
  if (former.length > 0 && former.every(({ isRead }) => isRead)) {
    try {
      return { ...readToday(result), former: told.slice(0, former.length) };
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
    }
  }
  throw new ConfigurationError(told, rest);
}

/** @throws ConfigurationError as `readConfiguration`, which knows the words of earlier versions, too. */
function readToday(value: Json): Configuration {
  const mistakes = new Mistakes();
  const read = mistakes.attempt(() => configurationSetting().read(value, "$"));
  if (read === undefined) return mistakes.finish<Configuration>(undefined);
  const { listen, limits, mqtt, tls, https, user, group, log, stateDirectory, location, ...more } = read;
  const { $schema: _, access: plan, nouns, modbusServer, url: address, documents, ...described } = more;
  const { pairs: _pairs, ...access } = plan;
  const device = { ...described, ...(address !== undefined && { address }), ...documents };
  const named = nameNouns(nouns, mistakes);
  checkClaims(nouns, mistakes);
  checkKeeping(nouns, device, stateDirectory, mistakes);
  checkDocuments(nouns, device, mistakes);
  checkWaits(nouns, completeServerLimits(planLimits(limits).server).nounTimeout, mistakes);
  checkCertificate(listen, https, stateDirectory, mistakes);
  const pairing = readPairing(named, plan, stateDirectory, mistakes);
  if (user === undefined && group !== undefined) {
    mistakes.add("$.user", 'expected a user together with "group", found nothing');
  }
  return mistakes.finish({
    listen,
    limits: planLimits(limits),
    access,
    pairing,
    mqtt,
    tls,
    https,
    modbusServer,
    account: user === undefined ? undefined : { user, group },
    log,
    device,
    stateDirectory,
    location,
    nouns: named,
  });
}

export function configurationSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Configuration of nound",
    ...configurationSetting().schema(),
    definitions: definitions(),
  };
}

function nameNouns(given: WrittenNouns, mistakes: Mistakes): Map<NounName, NounPlan> {
  if (given.length === 0) mistakes.add("$.nouns", "expected at least one noun, found none");
  const written = new Map<NounName, string>();
  const nouns = new Map<NounName, NounPlan>();
  for (const one of given) {
    const key = one[0];
    let name: NounName | undefined;
    try {
      name = readName(key, written);
    } catch (error) {
      mistakes.takeFrom(error);
      continue;
    }
    written.set(name, key);
    nouns.set(name, one[1]);
  }
  return nouns;
}

/** @param written the names so far, each as it was written. */
function readName(key: string, written: ReadonlyMap<NounName, string>): NounName {
  let name: NounName;
  try {
    name = parseNounName(key);
  } catch {
    throw mistake(
      keyPath("$.nouns", key),
      `expected a name of 1 to 64 characters of a-z 0-9 . _ ~ -, except . and .., found ${found(key)}`,
    );
  }
  const other = written.get(name);
  if (other === undefined) return name;
  const holder = keyPath("$.nouns", other);
  throw mistake(
    keyPath("$.nouns", key),
    `expected a unique name, found that of ${holder}; upper and lower case are the same`,
  );
}

/** Refuses two nouns on one line: the kernel would refuse the second, but only on the device. */
function checkClaims(nouns: WrittenNouns, mistakes: Mistakes): void {
  const holders = new Map<string, string>();
  for (const written of nouns) {
    const { path, claims } = written[1];
    if (claims.length === 0) continue;
    for (const claim of claims) {
      const holder = holders.get(claim);
      if (holder === undefined) holders.set(claim, path);
      else mistakes.add(path, `expected hardware that no other noun uses, found ${claim}, which ${holder} uses`);
    }
  }
}

/** Refuses a noun whose name is the path of a document. The server would refuse it as well. */
function checkDocuments(nouns: WrittenNouns, served: ServedOptions, mistakes: Mistakes): void {
  for (const written of nouns) {
    const name = written[0].toLowerCase();
    const others = withoutDocumentOf(name, served);
    if (others === undefined) continue;
    const off = `"documents": ${JSON.stringify(others)}`;
    mistakes.add(written[1].path, `expected another name, because /${name} is a document; ${off} leaves it out`);
  }
}

function checkCertificate(
  listen: readonly string[],
  https: HttpsOptions | undefined,
  stateDirectory: string | undefined,
  mistakes: Mistakes,
): void {
  const sealed = listen.find((address) => sealedAddress(address) !== undefined);
  if (sealed === undefined || https?.certificate !== undefined || stateDirectory !== undefined) return;
  mistakes.add(
    "$.stateDirectory",
    `expected the path of a folder, because nound keeps there the certificate that it makes for ${sealed} ` +
      '(or name another one: "https": { "certificate": ..., "key": ... }), found nothing',
  );
}

/** Refuses to pair where the program cannot write the token file later, and two buttons. */
function readPairing(
  nouns: Configuration["nouns"],
  { tokens = "", pairs: atStart }: AccessPlan,
  stateDirectory: string | undefined,
  mistakes: Mistakes,
): PairingPlan | undefined {
  const buttons: (readonly [NounName, NounPlan])[] = [];
  for (const named of nouns) if (named[1].pairs === true) buttons.push(named);
  const [button, other] = buttons;
  if (other !== undefined) mistakes.add(keyPath(other[1].path, "pairs"), "expected one button that pairs, found two");
  if (button === undefined && !atStart) return undefined;
  const pairing = { button: button?.[0], atStart };
  if (tokens.slice(0, tokens.lastIndexOf("/")) === stateDirectory) return pairing;
  const folder = stateDirectory ?? "/var/lib/nound";
  mistakes.add(
    "$.access.tokens",
    `expected a file in "stateDirectory", such as "${folder}/tokens", because nound writes it when it pairs, ` +
      `found ${tokens === "" ? "nothing" : JSON.stringify(tokens)}`,
  );
  return pairing;
}

/** Refuses a noun that would wait for its hardware longer than clients wait for the noun. */
function checkWaits(nouns: WrittenNouns, nounTimeout: Milliseconds, mistakes: Mistakes): void {
  for (const written of nouns) {
    const { waits } = written[1];
    if (waits === undefined || waits[1] < nounTimeout) continue;
    const limit = `the ${nounTimeout} ms of limits.nounTimeout; raise that, too`;
    mistakes.add(waits[0], `expected less than ${limit}, found ${waits[1]}`);
  }
}

function checkKeeping(
  nouns: WrittenNouns,
  { keepsHistory }: ServedOptions,
  stateDirectory: string | undefined,
  mistakes: Mistakes,
): void {
  const keeps = nouns.find((written) => written[1].keeps !== undefined)?.[1].keeps ?? (keepsHistory && "$.documents");
  if (keeps === undefined || stateDirectory !== undefined) return;
  mistakes.add("$.stateDirectory", `expected the path of a folder, because ${keeps} needs it, found nothing`);
}
