/** What `--check` and `--avahi` do: all that is wrong with a configuration, and what others are told of it. */
import * as keeper from "nound:keeper";
import * as privileges from "nound:privileges";
import { isNounOf } from "../../core/access/grant.ts";
import type { Token } from "../../core/access/tokens.ts";
import { didYouMean } from "../../core/noun/nearest-word.ts";
import { adviceOnEnd } from "../../parts/client/certificate-watch.ts";
import { adviceOnNames, areSealed, checkConnections } from "../../parts/client/connections.ts";
import { useTls } from "../../parts/client/servers.ts";
import { adviceOnModbus } from "../../parts/modbus/server/part.ts";
import { adviceOnMqtt } from "../../parts/mqtt/part.ts";
import { certificateOf, confirmTls } from "../../parts/tls/part.ts";
import type { CertificateEnd } from "../../platform/certificate-ends.ts";
import { sealedAddress } from "../../platform/listen-address.ts";
import { reachHardware, system } from "../../platform/platform.ts";
import { adviceOnPublicFile } from "../../platform/public-file.ts";
import { attempt, exitStatus, isRefusal, StartError, sentenceOf } from "../../platform/start-error.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { mistakesOfAccess, openAddresses } from "../configuration/open-listeners.ts";
import { lackOfRoom } from "../configuration/room-for-states.ts";
import { secretFiles } from "../configuration/secret-files.ts";
import { tryHardware } from "../configuration/try-hardware.ts";
import { avahiService, reachedPort } from "./avahi-service.ts";
import { isSealed } from "./certificate.ts";
import { checkNouns, type RegisterNouns } from "./check-nouns.ts";
import type { CheckCommand } from "./command-line.ts";
import { loadAccess, loadConfiguration, loadMqtt, note, tryConfiguration } from "./configured-files.ts";
import { leaveChanges, leaveTokens } from "./left-by-check.ts";

/**
 * @returns what `act` returns; or, if a file or hardware is missing or fails, the sentence that says so. It stops
 *   nothing: without it, the rest is served.
 */
function lackOr<T>(act: () => T): T | string {
  try {
    return act();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return sentenceOf(error);
  }
}

/**
 * @returns a line for each thing that a person should know about the broker.
 * @throws StartError if its settings are malformed.
 */
export function adviceOnBroker(path: string, { mqtt, device }: Configuration): string {
  if (mqtt === undefined) return "";
  const options = lackOr(() => loadMqtt(mqtt));
  const advice =
    typeof options === "string"
      ? [options]
      : attempt(exitStatus.configuration, () => adviceOnMqtt(options, device), `${path}: `);
  return advice.map((line) => `${path}: ${line}\n`).join("");
}

/** @returns a line for each word of an earlier version, and what becomes of them. */
function adviceOnWords(path: string, { former }: Configuration): string {
  if (former === undefined) return "";
  const lines = [...former, "these words are read until 1.0; `npx nound migrate FILE` writes those of today"];
  return lines.map((line) => `${path}: ${line}\n`).join("");
}

/** @returns a line for each thing that a person should know about a noun. Reads the nouns' files. */
function adviceOnNouns(path: string, { nouns }: Configuration): string {
  const advice = Array.from(nouns, ([name, { advise }]) => {
    const line = lackOr(() => advise?.(name, note));
    return line === undefined ? "" : `${path}: the noun ${name}: ${line}\n`;
  });
  return advice.join("");
}

function adviceOnEnds(path: string, end: CertificateEnd): string {
  const advice = adviceOnEnd(end, Date.now() / 1_000);
  return advice === undefined ? "" : `${path}: ${advice}\n`;
}

/**
 * @returns a line if the files for encrypted connections to servers cannot be used, or for each that ends soon.
 * @throws StartError if this program was built without TLS.
 */
function adviceOnConnections(path: string): string {
  if (areSealed()) attempt(exitStatus.configuration, confirmTls, `${path}: `);
  const ends = lackOr(checkConnections);
  if (typeof ends === "string") return `${path}: ${ends}\n`;
  return ends.map((end) => adviceOnEnds(path, end)).join("");
}

/**
 * @returns a line if the certificate for https has ended, or ends soon.
 * @throws Error with a sentence if https cannot be used. A certificate that nound makes itself is not read.
 */
function adviceOnCertificate(path: string, configuration: Configuration, listen: readonly string[]): string {
  const { https } = configuration;
  if (!isSealed(configuration, listen)) return "";
  if (https?.certificate === undefined) {
    confirmTls();
    return "";
  }
  return adviceOnEnds(path, { of: "https", file: https.certificate, end: certificateOf(https).end });
}

/** @returns a line if tokens are sent over an address that others can read along at. */
export function adviceOnSecrecy(path: string, addresses: readonly string[], tokens?: readonly Token[]): string {
  // The first one is sent, too.
  const isSecret = tokens?.length === 0 || tokens?.some(({ sha256 }) => !sha256.startsWith("key:")) === true;
  const open = addresses.find((address) => sealedAddress(address) === undefined && reachedPort(address) !== undefined);
  if (!isSecret || open === undefined) return "";
  const safe = `listen on https://${open}, or on 127.0.0.1 behind a proxy`;
  return `${path}: tokens are sent unencrypted to ${open}, where others on the network can read them: ${safe}\n`;
}

/** @returns a line if everyone on the network may use the nouns. */
export function adviceOnAccess(path: string, configuration: Configuration, addresses: readonly string[]): string {
  const open = openAddresses(configuration, addresses);
  if (open.length === 0) return "";
  const safe = 'name a token file in "access", or listen on 127.0.0.1 behind a proxy that asks who it is';
  return `${path}: everyone who reaches ${open.join(", ")} may use all nouns, because there is no token: ${safe}\n`;
}

/** @returns a line for each file with a secret that everyone on this device can read. */
function adviceOnSecrets(path: string, configuration: Configuration): string {
  const advice = secretFiles(configuration).map(([file]) => adviceOnPublicFile(file));
  return advice.map((line) => (line === undefined ? "" : `${path}: ${line}\n`)).join("");
}

/** @returns a line for each noun that a token, or the broker, may use and that does not exist. */
function adviceOnTokens(path: string, { nouns, mqtt }: Configuration, tokens: readonly Token[]): string {
  const names = [...nouns.keys()];
  const [, ofBroker = ""] = mqtt?.may?.split(/ +/) ?? [];
  const grants = tokens.map((token) => [`the token ${token.name}`, token.nouns] as const);
  const lines = [...grants, ["the broker", ofBroker === "" ? [] : ofBroker.split(",")] as const].flatMap(
    ([owner, patterns]) =>
      patterns
        .filter((pattern) => !names.some((name) => isNounOf(pattern, name)))
        .map(
          (pattern) => `${path}: ${owner} may use ${pattern}, but there is no such noun${didYouMean(pattern, names)}\n`,
        ),
  );
  return lines.join("");
}

/** Collects the reasons of all that fails, so that one of them does not hide the others. */
class Mistakes {
  private readonly reasons: string[] = [];
  private status: number | undefined;

  /** @returns what `act` returns; undefined if it throws a StartError. */
  catch<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      this.add(error.message.split("\n"), error.status);
      return undefined;
    }
  }

  add(reasons: readonly string[], status: number): void {
    this.reasons.push(...reasons);
    if (reasons.length > 0) this.status ??= status;
  }

  /** @throws StartError with all reasons and the first status, if there are any. */
  refuse(): void {
    if (this.status !== undefined) throw new StartError(this.reasons, this.status);
  }
}

/** What came of trying hardware, in lines. */
interface Tried {
  /** A line for each noun whose hardware is missing or fails. */
  readonly failing: string;
  /** A line that names what was not tried; "" if all was. */
  readonly untried: string;
}

async function tryConfigured(configuration: Configuration, path: string): Promise<Tried> {
  const hasHardware = Array.from(configuration.nouns.values()).some(({ hardware }) => hardware !== undefined);
  if (!hasHardware) return { failing: "", untried: "" };
  if (!reachHardware()) {
    return { failing: "", untried: `${path}: not checked: the hardware, because it is simulated\n` };
  }
  const { mistakes, untried } = await tryHardware(configuration);
  const failing = Array.from(mistakes, ([name, sentence]) => `${path}: the noun ${name}: ${sentence}\n`).join("");
  if (untried.length === 0) return { failing, untried: "" };
  const names = untried.join(", ");
  return { failing, untried: `${path}: not checked, because this machine has no such hardware: ${names}\n` };
}

/**
 * @returns a line that summarizes a configuration and says what the kernel restricts while it is served; another one if
 *   not all nouns could be full; and another one that names the hardware that was not tried.
 * @param register puts the nouns on a server that does not listen.
 * @throws StartError with a line for each thing that is wrong.
 */
export async function check({ config, listen, account }: CheckCommand, register: RegisterNouns): Promise<string> {
  const mistakes = new Mistakes();
  const served = keeper.isChecker() ? keeper.previousConfiguration() : undefined;
  if (served !== undefined) {
    leaveTokens(served);
    return "";
  }
  if (account !== undefined) {
    mistakes.catch(() => attempt(exitStatus.unavailable, () => privileges.findAccount(account.user, account.group)));
  }
  const read = mistakes.catch(() => tryConfiguration(config));
  // What was read in spite of mistakes is checked too, so that all of them are told at once.
  mistakes.add(read?.mistakes ?? [], exitStatus.configuration);
  const configuration = read?.configuration;
  useTls(configuration?.tls, undefined);
  const open = configuration && mistakesOfAccess(configuration, listen.length > 0 ? listen : configuration.listen);
  mistakes.add(open?.map((line) => `${config}: ${line}`) ?? [], exitStatus.configuration);
  const tokens = configuration && mistakes.catch(() => loadAccess(configuration))?.tokens;
  const broker = configuration && mistakes.catch(() => adviceOnBroker(config, configuration));
  const ofNouns = configuration === undefined ? "" : adviceOnNouns(config, configuration);
  const ofClock = (configuration && mistakes.catch(() => checkNouns(configuration, config, register))) ?? "";
  const ofConnections = mistakes.catch(() => adviceOnConnections(config)) ?? "";
  const ofServers = adviceOnNames()
    .map((line) => `${config}: ${line}\n`)
    .join("");
  // Without its certificate, the next process would not listen.
  const ofCertificate = mistakes.catch(() => {
    const advise = () => configuration && adviceOnCertificate(config, configuration, listen);
    return attempt(exitStatus.configuration, advise, `${config}: `);
  });
  mistakes.refuse();
  if (configuration === undefined) return "";
  const { failing, untried } = await tryConfigured(configuration, config);
  const lack = ofConnections + failing;
  if (keeper.isChecker()) {
    // A reload prints nothing else of what the check has found.
    for (const line of lack.split("\n").slice(0, -1)) system.printError(`nound: ${line}\n`);
    leaveChanges(configuration, read?.outputs);
  }
  const { size } = configuration.nouns;
  const nounCount = size === 1 ? "1 noun" : `${size} nouns`;
  const tokenCount = new Set(tokens?.map(({ name }) => name)).size;
  const speakers = tokenCount === 0 ? "" : tokenCount === 1 ? ", 1 token" : `, ${tokenCount} tokens`;
  const addresses = listen.length > 0 ? listen : configuration.listen;
  const serves = `${nounCount}${speakers}, listens on ${addresses.join(", ")}`;
  const room = lackOfRoom(configuration);
  const ofTokens = adviceOnTokens(config, configuration, tokens ?? []);
  const { modbusServer } = configuration;
  const ofModbus = modbusServer === undefined ? "" : adviceOnModbus(modbusServer);
  const ofMasters = ofModbus === "" ? "" : `${config}: ${ofModbus}\n`;
  const ofSecrecy = adviceOnSecrecy(config, addresses, tokens);
  const advice =
    (room === undefined ? "" : `${config}: ${room}\n`) +
    adviceOnWords(config, configuration) +
    broker +
    ofServers +
    ofClock +
    ofTokens +
    adviceOnAccess(config, configuration, addresses) +
    ofSecrecy +
    adviceOnSecrets(config, configuration) +
    ofMasters +
    ofNouns;
  return `${config}: ${serves}; serves with ${privileges.restrictions()}\n${advice}${lack}${ofCertificate}${untried}`;
}

/** @returns Avahi's service file for the server; "" if only this device can reach it. @throws as `check`. */
export function announcement({ config, listen }: CheckCommand): string {
  const configuration = loadConfiguration(config);
  return avahiService(configuration, listen.length > 0 ? listen : configuration.listen);
}
