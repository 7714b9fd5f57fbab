/**
 * What `--forget` does: it deletes all that nound has stored of a device, and clears what the broker retains of it. The
 * broker comes first, because its password may be deleted. So a second run finishes what the first one did not.
 */
import { useTls } from "../../parts/client/servers.ts";
import { forgetRetained } from "../../parts/mqtt/part.ts";
import { sealedAddress } from "../../platform/listen-address.ts";
import { hardware, net, system } from "../../platform/platform.ts";
import { exitStatus, isRefusal, StartError, sentenceOf } from "../../platform/start-error.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { secretFiles } from "../configuration/secret-files.ts";
import type { CheckCommand } from "./command-line.ts";
import { loadConfiguration, loadMqtt } from "./configured-files.ts";

/** Bytes of the largest file that a configuration names. */
const secretBytes = 1_048_576;

const print = (line: string): void => system.printOutput(`${line}\n`);

/** @throws StartError if a nound serves the configuration: it would store everything again. */
function refuseWhileServed({ listen }: Configuration): void {
  for (const given of listen) {
    const address = sealedAddress(given) ?? given;
    // The kernel would choose a port.
    if (/:0+$/.test(address)) continue;
    try {
      net.listen(address, (socket) => socket.close()).close();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const reason = `${sentenceOf(error)}: stop nound first, as by systemctl stop nound`;
      throw new StartError(reason, exitStatus.unavailable);
    }
  }
}

/** @returns the paths of the secrets that a configuration names. */
function secretsOf(configuration: Configuration): readonly string[] {
  const { access, https } = configuration;
  const paths = [access.tokens, https?.certificate].filter((path) => path !== undefined);
  return [...paths, ...secretFiles(configuration).map(([file]) => file), ...secretsOfBroker(configuration)];
}

/** @returns the paths of those without which the broker cannot be asked. */
function secretsOfBroker({ mqtt, tls }: Pick<Configuration, "mqtt" | "tls">): readonly string[] {
  const paths = [mqtt?.password, ...[mqtt?.tls, tls].flatMap((one) => [one?.key, one?.certificate])];
  return paths.filter((path) => path !== undefined);
}

/** @returns the folder of a path, open, and the name in it. */
function placeOf(path: string) {
  const slash = path.lastIndexOf("/");
  return { store: hardware().storage.openStore(path.slice(0, slash) || "/"), name: path.slice(slash + 1) };
}

/** @returns whether a path leads to a file that is not in its folder: by a symbolic link. */
function isElsewhere(path: string): boolean {
  const { store, name } = placeOf(path);
  if (store.names().includes(name)) return false;
  try {
    system.readTextFile(path, secretBytes);
    return true;
  } catch {
    return false;
  }
}

function exists(path: string): boolean {
  const { store, name } = placeOf(path);
  return store.names().includes(name) || isElsewhere(path);
}

/** @returns why the broker still retains something; undefined if it does not. */
async function clearBroker(configuration: Configuration): Promise<string | undefined> {
  const { mqtt, device, stateDirectory, nouns } = configuration;
  // An earlier run has deleted them, after it had cleared the broker.
  if (mqtt === undefined || !secretsOfBroker(configuration).every(exists)) return undefined;
  try {
    const options = { ...loadMqtt(mqtt), ...(stateDirectory !== undefined && { stateDirectory }) };
    for (const topic of await forgetRetained(options, device, [...nouns.keys()]))
      print(`cleared at the broker: ${topic}`);
    return undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return sentenceOf(error);
  }
}

function remove(path: string): void {
  const { store, name } = placeOf(path);
  if (!store.names().includes(name)) return;
  store.remove(name);
  print(`deleted: ${path}`);
}

/** Deletes, and prints each thing. @throws StartError if it cannot, or if the broker still retains something. */
export async function forget({ config, isAll }: CheckCommand): Promise<void> {
  const configuration = loadConfiguration(config);
  refuseWhileServed(configuration);
  useTls(configuration.tls, undefined);
  const lack = await clearBroker(configuration);
  try {
    const { stateDirectory } = configuration;
    if (stateDirectory !== undefined) {
      for (const name of hardware().storage.openStore(stateDirectory).names()) {
        const path = `${stateDirectory}/${name}`;
        if (path !== configuration.access.tokens) remove(path);
      }
    }
    const needed = lack === undefined ? [] : secretsOfBroker(configuration);
    const secrets = isAll ? new Set(secretsOf(configuration)) : [];
    for (const path of secrets) if (!needed.includes(path)) remove(path);
    for (const path of secrets) {
      if (needed.includes(path) || !isElsewhere(path)) continue;
      throw new StartError(`${path} is a symbolic link: delete the file that it leads to`, exitStatus.unavailable);
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new StartError(sentenceOf(error), exitStatus.unavailable);
  }
  if (lack === undefined) return;
  const again = isAll ? "its password, key and certificate stay for the next run" : "run this again";
  throw new StartError(`the broker still retains messages of this device: ${lack}; ${again}`, exitStatus.unavailable);
}
