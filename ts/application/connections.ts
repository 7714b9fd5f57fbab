/**
 * The servers that this program connects to: its broker and those of its webhooks. All of them are named before the
 * connector is forked, which knows no others.
 */
import * as connector from "nound:connector";
import { logFailure } from "./log.ts";

const targets: string[] = [];
let isStarted = false;

/** Forgets the targets of an earlier program, when a test begins the next one. */
export function forgetConnections(): void {
  targets.length = 0;
  isStarted = false;
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
  connector.start(targets, () => logFailure("connector", "it has ended: nothing is connected to any more"));
  isStarted = true;
}
