/** The stock program as an application: the nouns of a configuration on a server, until a signal ends it. */
import * as privileges from "nound:privileges";
import type { AccessOptions } from "../access/access.ts";
import { logLine, logMessage, raiseLog } from "../application/log.ts";
import { adviceOnMqtt } from "../application/mqtt.ts";
import type { MqttOptions } from "../application/mqtt-options.ts";
import { guard, reachHardware, system } from "../application/platform.ts";
import { limitProcess } from "../application/process-limits.ts";
import { withNeeds } from "../application/reach.ts";
import { Server } from "../application/server.ts";
import { attempt, end, exitStatus, StartError, sentenceOf } from "../application/start-error.ts";
import { readTokens } from "../application/tokens.ts";
import type { AccessPlan } from "../configuration/access-setting.ts";
import { type Account, type Configuration, readConfiguration } from "../configuration/configuration.ts";
import { JsonSyntaxError, parseJson } from "../configuration/json.ts";
import type { MqttPlan } from "../configuration/mqtt-setting.ts";
import { lackOfRoom } from "../configuration/room-for-states.ts";
import { ConfigurationError, mostMistakes } from "../configuration/setting.ts";
import { avahiService } from "./avahi-service.ts";
import type { CheckCommand, ServeCommand } from "./command-line.ts";
import { announceDemonstration, demonstration } from "./demonstration.ts";
import { registerNouns } from "./register-nouns.ts";
import { tryHardware } from "./try-hardware.ts";

/** Bytes a configuration may have. */
const configurationBytes = 262_144;

/** The largest number of a configuration's mistakes that are printed at once. */
const mostPrinted = 10;

/** @returns a line for each mistake. */
function told(path: string, mistakes: readonly string[]): readonly string[] {
  const lines = mistakes.slice(0, mostPrinted).map((one) => `${path}: ${one}`);
  const more = Math.min(mistakes.length, mostMistakes) - lines.length;
  if (more <= 0) return lines;
  const count = mistakes.length > mostMistakes ? `more than ${more}` : `${more}`;
  return [...lines, `${path}: ${count} more mistake${more === 1 ? "" : "s"}`];
}

/** However slow the device is, all of it is read: the size of the text bounds the work. */
function loadConfiguration(path: string): Configuration {
  const text = attempt(exitStatus.configuration, () => system.readTextFile(path, configurationBytes, "asRoot"));
  try {
    return guard.exempt(() => readConfiguration(parseJson(text)));
  } catch (error) {
    if (error instanceof ConfigurationError) throw new StartError(told(path, error.mistakes), exitStatus.configuration);
    throw error instanceof JsonSyntaxError
      ? new StartError(`${path}: ${error.message}`, exitStatus.configuration)
      : error;
  }
}

function loadAccess({ tokens: path, ...access }: AccessPlan): AccessOptions {
  if (path === undefined) return access;
  return { ...access, tokens: attempt(exitStatus.configuration, () => readTokens(path)) };
}

/** Bytes of a password file: people write a line. */
const passwordBytes = 4_096;

function loadMqtt({ password: path, ...mqtt }: MqttPlan): MqttOptions {
  if (path === undefined) return mqtt;
  const text = attempt(exitStatus.configuration, () => system.readTextFile(path, passwordBytes, "always"));
  return { ...mqtt, password: text.replace(/\r?\n$/, "") };
}

/**
 * @returns a line for each thing that a person should know about the broker.
 * @throws StartError if it cannot be used.
 */
function adviceOnBroker(path: string, { mqtt, device }: Configuration): string {
  if (mqtt === undefined) return "";
  const advice = attempt(exitStatus.configuration, () => adviceOnMqtt(loadMqtt(mqtt), device), `${path}: `);
  return advice.map((line) => `${path}: ${line}\n`).join("");
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

/** @returns which hardware was not tried, as a line; "" if all was. */
async function tryConfigured(configuration: Configuration, path: string, mistakes: Mistakes): Promise<string> {
  const hasHardware = Array.from(configuration.nouns.values()).some(({ hardware }) => hardware !== undefined);
  if (!hasHardware) return "";
  if (!reachHardware()) return `${path}: not checked: the hardware, because it is simulated\n`;
  const trial = await tryHardware(configuration);
  mistakes.add(
    trial.mistakes.map((sentence) => `${path}: ${sentence}`),
    exitStatus.unavailable,
  );
  if (trial.untried.length === 0) return "";
  return `${path}: not checked, because this machine has no such hardware: ${trial.untried.join(", ")}\n`;
}

/**
 * @returns a line that summarizes a configuration and says what the kernel restricts while it is served; another one if
 *   not all nouns could be full; and another one that names the hardware that was not tried. @throws StartError with a
 *   line for each thing that is wrong. */
export async function check({ config, listen, account }: CheckCommand): Promise<string> {
  const mistakes = new Mistakes();
  if (account !== undefined) {
    mistakes.catch(() => attempt(exitStatus.unavailable, () => privileges.findAccount(account.user, account.group)));
  }
  const configuration = mistakes.catch(() => loadConfiguration(config));
  const tokens = configuration && mistakes.catch(() => loadAccess(configuration.access))?.tokens;
  const broker = configuration && mistakes.catch(() => adviceOnBroker(config, configuration));
  const untried = configuration === undefined ? "" : await tryConfigured(configuration, config, mistakes);
  mistakes.refuse();
  if (configuration === undefined) return "";
  const { size } = configuration.nouns;
  const nounCount = size === 1 ? "1 noun" : `${size} nouns`;
  const tokenCount = new Set(tokens?.map(({ name }) => name)).size;
  const speakers = tokenCount === 0 ? "" : tokenCount === 1 ? ", 1 token" : `, ${tokenCount} tokens`;
  const addresses = listen.length > 0 ? listen : configuration.listen;
  const serves = `${nounCount}${speakers}, listens on ${addresses.join(", ")}`;
  const lack = lackOfRoom(configuration);
  const advice = (lack === undefined ? "" : `${config}: ${lack}\n`) + broker;
  return `${config}: ${serves}; serves with ${privileges.restrictions()}\n${advice}${untried}`;
}

/** @returns Avahi's service file for the server; "" if only this device can reach it. @throws as `check`. */
export function announcement({ config, listen }: CheckCommand): string {
  const configuration = loadConfiguration(config);
  return avahiService(configuration, listen.length > 0 ? listen : configuration.listen);
}

/** Chooses the user to become once everything is open. */
function chooseAccount(account: Account | undefined): void {
  if (account === undefined) return;
  const { user, group } = account;
  attempt(exitStatus.unavailable, () =>
    group === undefined ? privileges.chooseAccount(user) : privileges.chooseAccount(user, group),
  );
}

/** Begins to serve. @throws StartError when it cannot, after which all is closed in order and the program ends. */
export function serve({ config, listen, account }: ServeCommand): void {
  // This comes before the configuration is read, because its file may belong to this user.
  chooseAccount(account);
  const configuration = config === undefined ? readConfiguration(demonstration()) : loadConfiguration(config);
  if (account === undefined) chooseAccount(configuration.account);
  const { limits, log: level, device, mqtt } = configuration;
  limitProcess(limits.process);
  raiseLog(level);
  const server = new Server({
    ...device,
    limits: limits.server,
    access: loadAccess(configuration.access),
    ...(mqtt && { mqtt: loadMqtt(mqtt) }),
    log: level,
  });
  try {
    guard.exempt(registerNouns, server, configuration);
    logMessage("errors", () => `nound ${system.version}`);
    const { unavailable } = exitStatus;
    const asked = listen.length > 0 ? listen : configuration.listen;
    const addresses = attempt(unavailable, () => asked.map((address) => server.listen(address)));
    // After this, a noun can open only files in the folders that it holds open, and files that it has asked for.
    logLine(`serving with ${attempt(unavailable, () => privileges.restrict(withNeeds({})))}`);
    if (config === undefined) announceDemonstration(addresses, configuration.nouns.keys());
  } catch (error) {
    // The path of a Unix socket must be removed. An unexpected error is a mistake in this program.
    const reason = error instanceof StartError ? error : new StartError(sentenceOf(error), exitStatus.software);
    void server.close().then(() => end(reason));
  }
}
