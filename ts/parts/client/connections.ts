/**
 * The servers that this program connects to: its broker, those of its webhooks and of `fetch`. All of them are named
 * before the connector is forked, which knows no others. This module is loaded when the first one is named.
 */
import * as connector from "nound:connector";
import type { Connector } from "../../native/connector.ts";
import { ofProgram } from "../../native/of-program.ts";
import type { TlsOptions } from "../../native/tls-options.ts";
import { type CertificateEnd, noteEnds } from "../../platform/certificate-ends.ts";
import { keptDate } from "../../platform/kept-date.ts";
import { logFailure } from "../../platform/log.ts";
import { loop } from "../../platform/platform.ts";
import { mayLack } from "../../platform/renewal.ts";
import { endsOf, watchEnds } from "./certificate-watch.ts";
import { Dialer } from "./dialer.ts";
import { noteServer, usualTls } from "./servers.ts";
import { checkTls, type NamedServer, namedServer } from "./tls.ts";

/** Forks the connector for a program that keeps its rights, when it first connects. */
const connecting: Pick<Connector, "connect"> = {
  connect(...dial) {
    startConnections();
    connector.connect(...dial);
  },
};

interface Connections {
  /** The servers in the order of their numbers. */
  readonly servers: NamedServer[];
  readonly dialer: Dialer;
  isStarted: boolean;
  /** The numbers of the servers of `fetch`; none before `restrict` has named them. */
  reached: ReadonlyMap<string, number>;
}

const connections = ofProgram<Connections>(() => ({
  servers: [],
  dialer: new Dialer(loop, connecting),
  isStarted: false,
  reached: new Map(),
}));

/** The requests of `fetch`. */
export const fetches = ofProgram(() => ({ underWay: 0 }));

/**
 * Names a server, before `startConnections`.
 * @param server `HOST:PORT`, `[v6]:PORT` or `unix:PATH`; or `https://HOST`, `mqtts://HOST`, with a port or without.
 * @param tls of an encrypted one, if it has settings of its own.
 * @param isBroker whether it is named as the broker; another use of its address has another number.
 * @returns its number at the connector.
 * @throws TypeError with a sentence if the settings are malformed.
 */
export function numberOf(server: string, tls?: TlsOptions, isBroker = false): number {
  const { servers } = connections();
  noteServer();
  const address = server.includes("://") ? namedServer(server, tls ?? usualTls()) : { target: server };
  const named: NamedServer = isBroker ? { ...address, isBroker } : address;
  const text = JSON.stringify(named);
  const known = servers.findIndex((one) => JSON.stringify(one) === text);
  return known >= 0 ? known : servers.push(named) - 1;
}

/** @returns the servers that are named, in the order of their numbers. */
export function namedServers(): readonly NamedServer[] {
  return connections().servers;
}

/** @returns whether the connection to a named server is encrypted. */
export function areSealed(): boolean {
  return connections().servers.some(({ sealing }) => sealing !== undefined);
}

/**
 * Checks the files for encrypted connections to the servers that are named.
 * @returns when the certificates in them end. @throws Error with a sentence.
 */
export function checkConnections(): readonly CertificateEnd[] {
  const sealed = connections().servers.filter(({ sealing }) => sealing !== undefined);
  const settings = sealed.flatMap(({ sealing }) => sealing ?? []);
  const areBrokers = sealed.map(({ isBroker }) => isBroker === true);
  return settings.length === 0 ? [] : endsOf(settings, checkTls(settings), areBrokers);
}

/** Notes when the certificates end whose files the settings name. */
function watchCertificates(): void {
  const hasFiles = connections().servers.some(
    ({ sealing }) => sealing && (sealing.certificate || sealing.authorities) !== "",
  );
  if (mayLack() && !hasFiles) return;
  try {
    const ends = checkConnections();
    noteEnds(ends);
    if (ends.length > 0) watchEnds();
  } catch (error) {
    // Otherwise each connection is refused with the reason.
    if (!mayLack()) throw error;
  }
}

/**
 * Forks the connector if a server is named. Calling it again has no effect. To be called before `restrict`.
 * @throws Error with a sentence.
 */
export function startConnections(): void {
  const { servers, isStarted } = connections();
  if (isStarted || servers.length === 0) return;
  const onEnd = (isReplaced: boolean) =>
    logFailure(
      "connector",
      isReplaced
        ? "it has ended: nound connects to other servers again when the next one has started, within a minute"
        : "it has ended: nound can no longer connect to other servers",
    );
  const targets = servers.map(({ target }) => target);
  const seals = servers.map(({ sealing }) => sealing);
  watchCertificates();
  if (areSealed()) connector.start(targets, onEnd, seals, keptDate()?.date ?? 0);
  else connector.start(targets, onEnd);
  connections().isStarted = true;
}

/** @returns whether a server has a name of multicast DNS (RFC 6762, 3). */
const isLocalName = (target: string): boolean => /\.local\.?:\d+$/i.test(target);
const noMulticast = "nound asks the name server and /etc/hosts, and does no multicast DNS";

/** @returns a line for each server whose name may not be found. */
export function adviceOnNames(): readonly string[] {
  const names = connections()
    .servers.map(({ target }) => target)
    .filter(isLocalName);
  return [...new Set(names)].map(
    (target) => `${target} may not be found: ${noMulticast}; if they do not know the name, write the address`,
  );
}

/** Connects to a server, as `Dialer` does. */
export function connect(...[target, time, done]: Parameters<Dialer["connect"]>): void {
  const { servers, dialer } = connections();
  dialer.connect(target, time, (socket, reason) => {
    const isUnknown = socket === undefined && reason.startsWith("its name cannot be resolved");
    const isLocal = isUnknown && isLocalName(servers[target]?.target ?? "");
    done(socket, isLocal ? `${reason}; ${noMulticast}: write the address` : reason);
  });
}

/**
 * Names the servers that `fetch` may ask, and forks the connector. To be called before `restrict`.
 * @throws Error with a sentence.
 */
export function startFetching(servers: readonly string[], tls?: TlsOptions): void {
  connections().reached = new Map(servers.map((server) => [server, numberOf(server, tls)]));
  startConnections();
}

/** @returns the number of a server. @throws Error with a sentence if `fetch` may not ask it. */
export function numberToFetch(target: string): number {
  const { reached } = connections();
  const number = reached.get(target) ?? reached.get(target.replace(/^(https:.*):443$/, "$1"));
  if (number !== undefined) return number;
  throw new Error(`${target} is outside the program's reach: add reach: { connect: ["${target}"] }`);
}
