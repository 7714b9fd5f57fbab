/** What a start does before its server listens. The code of it is freed then. */
import * as privileges from "nound:privileges";
import { useTls } from "../../parts/client/servers.ts";
import { rulesKey } from "../../parts/rules/part.ts";
import { sealedAddress } from "../../platform/listen-address.ts";
import { logLack, raiseLog } from "../../platform/log.ts";
import { interruption, system } from "../../platform/platform.ts";
import { limitProcess } from "../../platform/process-limits.ts";
import { allowLack } from "../../platform/renewal.ts";
import { attempt, exitStatus, StartError, sentenceOf } from "../../platform/start-error.ts";
import type { ServerOptions } from "../application/parts.ts";
import { Server } from "../application/server.ts";
import { type Account, type Configuration, readConfiguration } from "../configuration/configuration.ts";
import { type LimitsPlan, planLimits } from "../configuration/limits-plan.ts";
import { mistakesOfAccess } from "../configuration/open-listeners.ts";
import { refuseMistakes, refuseRegisters } from "./check-nouns.ts";
import type { ServeCommand } from "./command-line.ts";
import { loadAccess, loadConfiguration, loadMqtt, openStates } from "./configured-files.ts";
import { demonstration } from "./demonstration.ts";
import { areGuarded, haveGuards, registerNouns } from "./register-nouns.ts";

/** Chooses the user to become once everything is open. */
function chooseAccount(account: Account | undefined): void {
  if (account === undefined) return;
  const { user, group } = account;
  attempt(exitStatus.unavailable, () =>
    group === undefined ? privileges.chooseAccount(user) : privileges.chooseAccount(user, group),
  );
}

/** @returns the broker's options; undefined if its password cannot be read: then the log says so. */
function brokerOf(mqtt: Configuration["mqtt"]): ServerOptions["mqtt"] {
  try {
    return mqtt && loadMqtt(mqtt);
  } catch (error) {
    logLack("mqtt", `${sentenceOf(error)}; nound connects to no broker until a reload finds the file in order`);
    return undefined;
  }
}

/** @returns the limits of a configuration, and the constants that a test has set otherwise. */
function limitsOf({ process, server }: LimitsPlan): LimitsPlan {
  const text = system.environment("NOUND_LIMITS");
  if (text === undefined) return { process, server };
  const constants = planLimits(JSON.parse(text));
  return { process: { ...constants.process, ...process }, server: { ...constants.server, ...server } };
}

/** @returns the entries of a map. Each is freed when the next one is asked for: its memory is used again. */
function* taken<K, V>(map: Map<K, V>): Iterable<[K, V]> {
  for (const entry of map) {
    map.delete(entry[0]);
    yield entry;
  }
}

/** @returns the addresses of encrypted connections, which a certificate that nound makes itself is for. */
function sealedNames(addresses: readonly string[]): readonly string[] {
  return addresses.flatMap((address) => sealedAddress(address) ?? []);
}

/** What a configuration gives before its nouns are made. */
interface Prepared {
  /** Without nouns. */
  readonly server: Server;
  readonly configuration: Configuration;
  /** The addresses to listen on. */
  readonly asked: readonly string[];
}

/** Reads the configuration, and makes its server. @throws StartError when it cannot. */
export function prepare({ config, listen, account }: ServeCommand): Prepared {
  // This comes before the configuration is read, because its file may belong to this user.
  chooseAccount(account);
  const configuration = config === undefined ? readConfiguration(demonstration()) : loadConfiguration(config);
  if (account === undefined) chooseAccount(configuration.account);
  const { log: level, device, stateDirectory, tls, https, modbusServer } = configuration;
  const limits = limitsOf(configuration.limits);
  const asked = listen.length > 0 ? listen : configuration.listen;
  const open = mistakesOfAccess(configuration, asked).map((line) =>
    config === undefined ? line : `${config}: ${line}`,
  );
  if (open.length > 0) throw new StartError(open, exitStatus.configuration);
  limitProcess(limits.process);
  raiseLog(level);
  useTls(tls, stateDirectory);
  const mqtt = brokerOf(configuration.mqtt);
  const access = loadAccess(configuration);
  const server = new Server({
    ...device,
    limits: limits.server,
    access,
    ...openStates(configuration, access.tokens?.length === 0),
    ...(mqtt && { mqtt: { ...mqtt, ...(stateDirectory !== undefined && { stateDirectory }) } }),
    ...(modbusServer && { modbusServer }),
    https: { ...https, ...(stateDirectory !== undefined && { stateDirectory }), names: sealedNames(asked) },
    log: level,
  });
  return { server, configuration, asked };
}

/**
 * Makes the nouns of a configuration, and puts them on its server.
 * @param path of the configuration, for errors. @throws StartError.
 */
export function registerAll(server: Server, configuration: Configuration, path: string): void {
  const hasGuards = haveGuards(configuration.nouns);
  const nouns = taken(configuration.nouns);
  const lacking = new Set<string>();
  allowLack();
  interruption.exempt(registerNouns, server, { ...configuration, nouns, hasGuards, lacking });
  const { core } = server;
  const rules = core.parts.find(rulesKey);
  if (areGuarded(server) || rules !== undefined) refuseMistakes(rules, core.nouns, path, lacking);
  const { modbusServer } = configuration;
  if (modbusServer !== undefined) refuseRegisters(modbusServer, core.nouns, path, lacking);
}
