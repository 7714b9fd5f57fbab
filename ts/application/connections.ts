/**
 * The servers that this program connects to: its broker, those of its webhooks and of `fetch`. All of them are named
 * before the connector is forked, which knows no others.
 */
import * as connector from "nound:connector";
import { Dialer } from "../client/dialer.ts";
import { logFailure } from "./log.ts";
import { loop } from "./platform.ts";

const targets: string[] = [];
let dialer = new Dialer(loop, connector);
let isStarted = false;
/** The servers of `fetch`; none before `restrict` has named them. */
let reached: readonly string[] = [];

/** The requests of `fetch`. */
export const fetches = { underWay: 0 };

/** Forgets the targets of an earlier program, when a test begins the next one. */
export function forgetConnections(): void {
  targets.length = 0;
  dialer = new Dialer(loop, connector);
  isStarted = false;
  reached = [];
  fetches.underWay = 0;
}

/**
 * Names a server, before `startConnections`.
 * @param target as in `start` of `nound:connector`.
 * @returns its number there.
 */
export function numberOf(target: string): number {
  const known = targets.indexOf(target);
  return known < 0 ? targets.push(target) - 1 : known;
}

/**
 * Forks the connector if a server is named. Calling it again has no effect. To be called before `restrict`.
 * @throws Error with a sentence.
 */
export function startConnections(): void {
  if (isStarted || targets.length === 0) return;
  connector.start(targets, (isReplaced) =>
    logFailure(
      "connector",
      isReplaced
        ? "it has ended: nound connects to other servers again when the next one has started, within a minute"
        : "it has ended: nound can no longer connect to other servers",
    ),
  );
  isStarted = true;
}

/**
 * Connects to a server, and forks the connector for it in a program that keeps its rights.
 * The parameters are those of `Dialer`. @throws Error with a sentence if the connector cannot be forked.
 */
export function connect(...dial: Parameters<Dialer["connect"]>): void {
  startConnections();
  dialer.connect(...dial);
}

/**
 * Names the servers that `fetch` may ask, and forks the connector. To be called before `restrict`.
 * @throws Error with a sentence.
 */
export function startFetching(servers: readonly string[]): void {
  reached = servers;
  servers.forEach(numberOf);
  startConnections();
}

/** @returns the number of a server. @throws Error with a sentence if `fetch` may not ask it. */
export function numberToFetch(target: string): number {
  if (!reached.includes(target)) {
    throw new Error(`${target} is outside the program's reach: add reach: { connect: ["${target}"] }`);
  }
  return numberOf(target);
}
