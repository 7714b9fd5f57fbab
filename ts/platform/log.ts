/** The log of the process: what it writes to standard error while it serves. By default, nothing. */

import { describeError, type OnFailure } from "../core/noun/failure.ts";
import { escapeForLog } from "../core/server/log.ts";
import { openErrorLog } from "./error-log.ts";
import { KeptFailures } from "./kept-failures.ts";
import { guard, isDebugging, loop, system } from "./platform.ts";

/**
 * How much is logged: nothing; what fails, each noun at once and then at most once a minute with a count; or a line for
 * each address, connection, request, refusal and error.
 *
 * @example
 * const log: LogLevel = "errors";
 * const server = new Server({ log });
 */
export type LogLevel = "none" | "errors" | "requests";

/** The most detailed level that was set. It applies to everything that belongs to no server. */
let level: LogLevel;
/** Made when something fails. */
let reportError: OnFailure | undefined;
/** Also called for each failure, whatever is logged. */
let observer: OnFailure | undefined;

/** Failures since the start, also those that are not told. */
let failures = 0;

export function failureCount(): number {
  return failures;
}

/** The last failures that were logged, or left out there; undefined before the first. */
let kept: KeptFailures | undefined;

/** Characters of the last failure that `lastFailure` returns. */
const longestFailure = 200;

/** @returns the last failure, without a stack and in one line of at most 200 characters; "" before the first. */
export function lastFailure(): string {
  return kept === undefined ? "" : escapeForLog(kept.last).slice(0, longestFailure);
}

/** @returns the last failures as lines of JSON without their ends, oldest first. */
export function lastFailures(): readonly string[] {
  return kept?.lines(Date.now(), loop.now()) ?? [];
}

/** Keeps a failure that something else writes to the log. */
function keepFailure(what: string, description: string): void {
  failures += 1;
  if (level === "none") return;
  kept ??= new KeptFailures();
  kept.add(what, description, loop.now());
}

/** Begins again with the level of `--debug` or none. */
export function resetLog(): void {
  level = isDebugging ? "requests" : "none";
  reportError = undefined;
  kept = undefined;
}

resetLog();

/** Sets the level from now on. @returns the level, which `--debug` may make more detailed. */
export function raiseLog(asked: LogLevel): LogLevel {
  if (asked === "requests" || level === "none") level = asked;
  return isDebugging ? "requests" : asked;
}

export function areRequestsLogged(): boolean {
  return level === "requests";
}

/** Writes a line, if requests are logged. */
export function logLine(text: string): void {
  if (level === "requests") system.log(escapeForLog(text));
}

/**
 * Writes a message of an application, if its level is logged. @param text makes it; called only where it is written.
 */
export function logMessage(least: "errors" | "requests", text: () => string): void {
  if (level === "requests" || level === least) system.log(escapeForLog(text()));
}

/** Sets a function that is called for each failure, whatever is logged. For tests. */
export function observeFailures(to: OnFailure): void {
  observer = to;
}

/** @returns what is called for each failure of a noun; undefined if failures are reported nowhere at this level. */
export function onFailureAt(asked: LogLevel): OnFailure | undefined {
  if (asked === "errors" || observer !== undefined) return logFailure;
  // The line of the request has the failure, too.
  return asked === "requests" ? keepFailure : undefined;
}

/**
 * Writes a failure, if failures are logged. @param what failed: a noun's name, or words. @param description for people.
 */
export function logFailure(what: string, description: string): void {
  keepFailure(what, description);
  observer?.(what, description);
  if (level !== "errors") {
    logLine(`${what}: ${description}`);
    return;
  }
  reportError ??= openErrorLog(loop, (line) => system.log(escapeForLog(line)));
  reportError(what, description);
}

/**
 * Writes an error that somebody threw, if failures are logged. Otherwise it makes no text, because the error may say
 * that there is no memory. @param what as for `logFailure`. @param about a text before the error's own.
 */
export function logError(what: string, error: unknown, about = ""): void {
  if (level === "none" && observer === undefined) {
    failures += 1;
    return;
  }
  let description = "an error that cannot be described";
  try {
    description = guard.call(describeError, error);
  } catch {
    // Its own properties throw, or never return.
  }
  logFailure(what, about + description);
}
