/**
 * What `--evidence` prints of a configuration: which ports it opens, who may do what, where it connects to, what it
 * stores and where, which secrets it needs, and which processes it has. It opens no hardware and changes nothing.
 */
import * as privileges from "nound:privileges";
import { grantOf } from "../../core/access/grant.ts";
import { adviceOnNames, namedServers } from "../../parts/client/connections.ts";
import { useTls } from "../../parts/client/servers.ts";
import { adviceOnModbus } from "../../parts/modbus/server/part.ts";
import { isLocalAddress, sealedAddress, socketPath } from "../../platform/listen-address.ts";
import { system } from "../../platform/platform.ts";
import { adviceOnPublicFile, whoReads } from "../../platform/public-file.ts";
import { exitStatus, StartError } from "../../platform/start-error.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { mistakesOfAccess } from "../configuration/open-listeners.ts";
import { secretFiles } from "../configuration/secret-files.ts";
import { isSealed } from "./certificate.ts";
import { adviceOnAccess, adviceOnBroker, adviceOnSecrecy } from "./check.ts";
import { checkNouns, type RegisterNouns } from "./check-nouns.ts";
import type { CheckCommand } from "./command-line.ts";
import { loadAccess, loadConfiguration } from "./configured-files.ts";

/** A thing that a person should know, as a sentence and in parts. */
interface Item {
  readonly says: string;
  readonly [key: string]: string | boolean | readonly string[];
}

/** All sections, in the order of the output, by the title of each. */
type Evidence = Readonly<Record<string, readonly Item[]>>;

/** Who needs what to use an address. */
function portsOf({ access, modbusServer }: Configuration, addresses: readonly string[]): readonly Item[] {
  const port = (address: string, protocol: string, isEncrypted: boolean, needs: string): Item => {
    const isLocal = isLocalAddress(address);
    const place = address.startsWith("unix:") ? socketPath(address) : address;
    const reach = isLocal ? "this device" : "the network";
    const secrecy = isEncrypted ? "encrypted" : isLocal ? "" : "not encrypted";
    const parts = [protocol, `reached from ${reach}`, secrecy, `needs ${needs}`].filter((one) => one !== "");
    return { says: `${place}: ${parts.join(", ")}`, address: place, protocol, reach, isEncrypted, needs };
  };
  const needs = access.tokens === undefined ? "no token" : "a token";
  const ofHttp = addresses.map((given) => {
    const sealed = sealedAddress(given);
    return port(sealed ?? given, sealed === undefined ? "HTTP" : "HTTPS", sealed !== undefined, needs);
  });
  const { listen = [], from } = modbusServer ?? {};
  const ofMasters = from === undefined ? "nothing: Modbus has no passwords" : `an address in ${from.join(", ")}`;
  return [...ofHttp, ...listen.map((address) => port(address, "Modbus", false, ofMasters))];
}

/** @returns who gets the first token of a device: nobody once there is one. */
function whoPairs(configuration: Configuration): readonly string[] {
  const { pairing } = configuration;
  if (pairing === undefined || loadAccess(configuration).tokens?.length !== 0) return [];
  const { button, atStart } = pairing;
  return [
    ...(button === undefined ? [] : [`who presses ${button}`]),
    ...(atStart ? ["who asks within ten minutes of a start"] : []),
  ];
}

function rightsOf(configuration: Configuration, addresses: readonly string[]): readonly Item[] {
  const { mqtt, modbusServer } = configuration;
  const right = (who: string, verbs: readonly string[], nouns: readonly string[]): Item => ({
    says: `${who}: ${verbs.join(", ")} of ${nouns.includes("*") ? "all nouns" : nouns.join(", ")}`,
    ...{ who, verbs, nouns },
  });
  const all = ["GET", "PUT", "POST", "DELETE"];
  const tokens = loadAccess(configuration).tokens;
  const ofTokens = tokens?.map(({ name, sha256, verbs, nouns }) =>
    right(`${sha256.startsWith("key:") ? "the client key" : "the token"} ${name}`, verbs, nouns),
  );
  const ofGrant = (who: string, may: string): Item => {
    const [, nouns = ""] = may.split(/ +/);
    return right(who, grantOf(who, may).verbs, nouns.split(","));
  };
  const masters = modbusServer && [modbusServer.may ?? "GET *"].flat();
  const count = namedRegisters(modbusServer);
  const registers = count === 1 ? "one register" : `${count} registers`;
  const ofMasters = masters?.map((may) => ofGrant(`Modbus masters, by ${registers}`, may));
  return [
    ...whoPairs(configuration).map((who) => right(`${who}, once`, all, ["*"])),
    ...(ofTokens ?? addresses.map((one) => right(`everyone who reaches ${one}`, all, ["*"]))),
    ...(mqtt === undefined ? [] : [ofGrant("the broker", mqtt.may ?? "* *")]),
    ...(ofMasters ?? []),
  ];
}

/** @returns how many registers a server of Modbus has. */
function namedRegisters(options: Configuration["modbusServer"]): number {
  return Object.values(options?.registers ?? {}).reduce((sum, table) => sum + Object.keys(table ?? {}).length, 0);
}

/** The servers that nound connects to, once all nouns are registered. */
function connectionsOf(): readonly Item[] {
  return namedServers().map(({ target, sealing, isBroker }) => {
    const isEncrypted = sealing !== undefined;
    const what = isBroker ? "the states that the broker may GET" : "requests of webhooks, mirrors or Modbus units";
    const secrecy = isEncrypted ? "encrypted" : "not encrypted";
    return { says: `${target}: ${what}, ${secrecy}`, to: target, sends: what, isEncrypted };
  });
}

function storedOf(configuration: Configuration, addresses: readonly string[]): readonly Item[] {
  const { stateDirectory: folder, nouns, https, mqtt, device } = configuration;
  const stored = (where: string, what: string, until: string): Item => ({
    says: `${where}: ${what}, until ${until}`,
    ...{ where, what, until },
  });
  const inMemory = [
    ...(device.changes === 0 ? [] : [stored("memory", "the last changes, and who made them", "nound ends")]),
    ...(device.history === 0 || device.keepsHistory
      ? []
      : [stored("memory", "24 hours of the nouns that somebody asked for", "nound ends")]),
  ];
  if (folder === undefined) return inMemory;
  const kept = Array.from(nouns).filter(([, { keeps }]) => keeps !== undefined);
  const files = [
    ...kept.map(([name]) => [`*-${name}`, `the state or the total of ${name}`] as const),
    ...(isSealed(configuration, addresses) && https?.certificate === undefined
      ? (["certificate", "key"] as const).map((one) => [`https-${one}.pem`, `the ${one} for https`] as const)
      : []),
    ...(namedServers().some(({ sealing }) => sealing) ? [["tls-date", "a date that has passed"] as const] : []),
    ...(mqtt?.homeAssistant === true ? [["mqtt-announced", "the topic of the announcement"] as const] : []),
    ...(device.keepsHistory ? [["history", "24 hours of all nouns"] as const] : []),
  ];
  return [...files.map(([name, what]) => stored(`${folder}/${name}`, what, "nound --forget")), ...inMemory];
}

function secretsOf(configuration: Configuration): readonly Item[] {
  const { tokens } = configuration.access;
  const hashes = tokens === undefined ? [] : [[tokens, "hashes of the tokens"] as const];
  return [...hashes, ...secretFiles(configuration)].map(([file, what]) => {
    const readers = whoReads(file);
    return { says: `${file}: ${what}; ${readers}`, file, what, readers };
  });
}

function hardwareOf({ nouns }: Configuration): readonly Item[] {
  return Array.from(nouns).flatMap(([noun, { claims, hardware }]) => {
    const uses = claims.length > 0 ? claims : [hardware?.device ?? []].flat();
    return uses.length === 0 ? [] : [{ says: `${noun}: ${uses.join(", ")}`, noun, uses }];
  });
}

/** @returns the folders of files that the nouns write. Those of their hardware are found at the start. */
function foldersOf(configuration: Configuration): readonly string[] {
  const { stateDirectory, nouns, mqtt, device } = configuration;
  const writes =
    device.keepsHistory === true ||
    whoPairs(configuration).length > 0 ||
    mqtt?.homeAssistant === true ||
    [...nouns.values()].some(({ keeps }) => keeps);
  return writes && stateDirectory !== undefined ? [stateDirectory] : [];
}

function processesOf(configuration: Configuration, addresses: readonly string[]): readonly Item[] {
  const opens = foldersOf(configuration);
  // A Unix socket is removed at the end.
  const removes = [...new Set(addresses.flatMap((one) => /^unix:(.+(?=\/)|\/)/.exec(one)?.[1] ?? []))];
  const process = (name: string, does: string, files?: object): Item => ({
    says: `${name}: ${does}`,
    ...{ name, does, ...files },
  });
  const servers = namedServers();
  const asks = servers.some(({ target }) => !/^(?:unix:|\[|[0-9.]+:)/.test(target));
  const removed = removes.map((one) => `; may remove files in ${one}`).join("");
  const files = `opens files of the hardware above${opens.map((one) => ` and in ${one}`).join("")}, and no others`;
  return [
    process("keeper", "holds lines and sockets over a reload; keeps the rights it was started with, runs no script"),
    process("nouns", `serves with ${privileges.restrictions()}; ${files}${removed}; connects to nothing`, {
      opens,
      removes,
    }),
    ...(servers.length === 0
      ? []
      : [
          process(
            "connector",
            `connects to the servers above${asks ? " and a name server" : ""}; ` +
              "the kernel knows the ports alone, no addresses",
          ),
        ]),
    ...(isSealed(configuration, addresses)
      ? [process("acceptor", "has the key for https, reads no byte of a client; one more for each connection")]
      : []),
  ];
}

/** @returns a line for each connection that others on the network can read. */
function adviceOnConnections(): readonly string[] {
  const open = namedServers().filter(({ target, sealing }) => sealing === undefined && !isLocalAddress(target));
  return open.map(({ target, isBroker }) => {
    const safe = isBroker ? "write mqtts://" : "write https://, or give it a network of its own";
    return `the connection to ${target} is not encrypted, so others on the network can read and change it: ${safe}`;
  });
}

/** @returns a line for each thing that others can read or do, as `--check` tells it. @param ofBroker its lines. */
function weaknessesOf(
  path: string,
  configuration: Configuration,
  addresses: readonly string[],
  ofBroker: string,
): readonly Item[] {
  const { modbusServer } = configuration;
  const lines = [
    ...[
      adviceOnAccess(path, configuration, addresses),
      adviceOnSecrecy(path, addresses, loadAccess(configuration).tokens),
      ofBroker,
    ].flatMap((text) => text.split("\n").map((line) => line.slice(path.length + 2))),
    ...whoPairs(configuration).map(
      (who) => `there is no token yet, and ${who} gets one for everything: pair it before others can reach it`,
    ),
    ...adviceOnConnections(),
    ...secretFiles(configuration).map(([file]) => adviceOnPublicFile(file) ?? ""),
    ...(modbusServer === undefined ? [] : [adviceOnModbus(modbusServer)]),
    ...adviceOnNames(),
  ];
  return lines.filter((line) => line !== "").map((says) => ({ says }));
}

/** @throws StartError if the configuration cannot be served. */
function evidenceOf({ config, listen }: CheckCommand, register: RegisterNouns): Evidence {
  const configuration = loadConfiguration(config);
  const addresses = listen.length > 0 ? listen : configuration.listen;
  const mistakes = mistakesOfAccess(configuration, addresses).map((line) => `${config}: ${line}`);
  if (mistakes.length > 0) throw new StartError(mistakes, exitStatus.configuration);
  useTls(configuration.tls, undefined);
  // The broker is named first, as while it is served.
  const ofBroker = adviceOnBroker(config, configuration);
  checkNouns(configuration, config, register);
  return {
    "Open ports": portsOf(configuration, addresses),
    "Who may do what": rightsOf(configuration, addresses),
    "Connections to others": connectionsOf(),
    Stored: storedOf(configuration, addresses),
    Secrets: secretsOf(configuration),
    Hardware: hardwareOf(configuration),
    Processes: processesOf(configuration, addresses),
    "Left open": weaknessesOf(config, configuration, addresses, ofBroker),
  };
}

/** @returns the evidence for people, or as JSON. @throws StartError if the configuration cannot be served. */
export function evidence(command: CheckCommand, register: RegisterNouns): string {
  const all = Object.entries(evidenceOf(command, register));
  const { config, isJson } = command;
  const nound = `nound ${system.version}`;
  if (isJson) {
    const parts = all.map(([title, items]) => [title, items.map(({ says, ...rest }) => ({ says, ...rest }))] as const);
    return `${JSON.stringify({ nound, configuration: config, ...Object.fromEntries(parts) }, null, 2)}\n`;
  }
  const sections = all.map(([title, items]) => {
    const lines = items.length === 0 ? ["none"] : items.map(({ says }) => says);
    return `\n${title}\n${lines.map((line) => `  ${line}\n`).join("")}`;
  });
  return `${nound}: ${config}\n${sections.join("")}`;
}
