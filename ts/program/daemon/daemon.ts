/** The stock program as an application: the nouns of a configuration on a server, until a signal ends it. */
import * as keeper from "nound:keeper";
import * as privileges from "nound:privileges";
import { releaseInherited } from "../../hardware/kinds/hardware-kinds.ts";
import { startConnections, useTls } from "../../parts/client/connections.ts";
import { rulesKey } from "../../parts/rules/part.ts";
import { sealedAddress } from "../../platform/listen-address.ts";
import { logLack, logLine, logMessage, raiseLog } from "../../platform/log.ts";
import { freePassingParts } from "../../platform/passing-parts.ts";
import { interruption, system } from "../../platform/platform.ts";
import { limitProcess } from "../../platform/process-limits.ts";
import { withNeeds } from "../../platform/reach.ts";
import { allowLack } from "../../platform/renewal.ts";
import { attempt, end, exitStatus, HttpsError, StartError, sentenceOf } from "../../platform/start-error.ts";
import type { ServerOptions } from "../application/parts.ts";
import { Server } from "../application/server.ts";
import { type Account, type Configuration, readConfiguration } from "../configuration/configuration.ts";
import { type LimitsPlan, planLimits } from "../configuration/limits-plan.ts";
import { mistakesOfAccess } from "../configuration/open-listeners.ts";
import { refuseMistakes, refuseRegisters } from "./check-nouns.ts";
import type { ServeCommand } from "./command-line.ts";
import { loadAccess, loadConfiguration, loadMqtt, openStates } from "./configured-files.ts";
import { announceDemonstration, demonstration } from "./demonstration.ts";
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

/**
 * Listens on all addresses. If the certificate for some cannot be used, the log says so, and nound listens on the
 * others.
 * @returns the addresses as bound.
 * @throws Error with a sentence if one cannot be listened on otherwise, or if there are no others.
 */
function listenOn(server: Server, asked: readonly string[]): readonly string[] {
  const mayLackHttps = asked.some((address) => sealedAddress(address) === undefined);
  return asked.flatMap((address) => {
    try {
      return server.listen(address);
    } catch (error) {
      if (!(error instanceof HttpsError && mayLackHttps)) throw error;
      logLack("https", `nound does not listen on ${address} until a reload: ${error.message}`);
      return [];
    }
  });
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

/** Begins to serve. @throws StartError when it cannot, after which all is closed in order and the program ends. */
export function serve({ config, listen, account }: ServeCommand): void {
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
  try {
    const hasGuards = haveGuards(configuration.nouns);
    const nouns = taken(configuration.nouns);
    const lacking = new Set<string>();
    allowLack();
    interruption.exempt(registerNouns, server, { ...configuration, nouns, hasGuards, lacking });
    const rules = server.core.parts.find(rulesKey);
    if (areGuarded(server) || rules !== undefined) refuseMistakes(rules, server.core.nouns, config ?? "", lacking);
    if (modbusServer !== undefined) refuseRegisters(modbusServer, server.core.nouns, config ?? "", lacking);
    // Before the broker's client is loaded, which takes the memory.
    freePassingParts();
    logMessage("errors", () => `nound ${system.version}`);
    const { former } = configuration;
    if (former) logMessage("errors", () => `${config}: ${former.length} words of an earlier version; see --check`);
    const { unavailable } = exitStatus;
    const addresses = attempt(unavailable, () => listenOn(server, asked));
    if (keeper.isSuccessor()) releaseInherited();
    attempt(unavailable, startConnections);
    // After this, a noun can open only files in the folders that it holds open, and files that it has asked for.
    logLine(`serving with ${attempt(unavailable, () => privileges.restrict(withNeeds({})))}`);
    if (config === undefined)
      announceDemonstration(
        addresses,
        server.nouns.map(([name]) => name),
      );
  } catch (error) {
    // The path of a Unix socket must be removed. An unexpected error is a mistake in this program.
    const reason = error instanceof StartError ? error : new StartError(sentenceOf(error), exitStatus.software);
    void server.close().then(() => end(reason));
  }
}
