/** The log of the process: what it writes to standard error while it serves. By default, nothing. */

import { describeError, type OnFailure } from "../core/noun/failure.ts";
import { escapeForLog } from "../core/server/log.ts";
import { ofProgram } from "../native/of-program.ts";
import { openErrorLog } from "./error-log.ts";
import { KeptFailures } from "./kept-failures.ts";
import { interruption, isDebugging, loop, system } from "./platform.ts";

/**
 * How much is logged: nothing; what fails, each noun at once and then at most once a minute with a count; or a line for
 * each address, connection, request, refusal and error.
 *
 * @example
 * const log: LogLevel = "errors";
 * const server = new Server({ log });
 */
export type LogLevel = "none" | "errors" | "requests";

interface Log {
  /** The most detailed level that was set. It applies to everything that belongs to no server. */
  level: LogLevel;
  /** Made when something fails. */
  reportError?: OnFailure;
  /** Failures since the start, also those that are not told. */
  failures: number;
  /** The last failures that were logged, or left out there; undefined before somebody needs them. */
  kept?: KeptFailures;
}

/** It begins with the level of `--debug` or none. */
const log = ofProgram<Log>(() => ({ level: isDebugging ? "requests" : "none", failures: 0 }));

/** Also called for each failure, whatever is logged. */
let observer: OnFailure | undefined;

export function failureCount(): number {
  return log().failures;
}

/** Characters of the last failure that `lastFailure` returns. */
const longestFailure = 200;

/** @returns the last failure, without a stack and in one line of at most 200 characters; "" before the first. */
export function lastFailure(): string {
  return escapeForLog(log().kept?.lastText ?? "").slice(0, longestFailure);
}

/** @returns the last failures; none while nothing is logged. */
export function keptFailures(): KeptFailures {
  const own = log();
  own.kept ??= new KeptFailures();
  return own.kept;
}

/** Keeps a failure that something else writes to the log. */
function keepFailure(what: string, description: string): void {
  const own = log();
  own.failures += 1;
  if (own.level === "none") return;
  keptFailures().add(what, description, loop.now());
}

/** Sets the level from now on. @returns the level, which `--debug` may make more detailed. */
export function raiseLog(asked: LogLevel): LogLevel {
  if (asked === "requests" || log().level === "none") log().level = asked;
  return isDebugging ? "requests" : asked;
}

export function areRequestsLogged(): boolean {
  return log().level === "requests";
}

/** Writes a line, if requests are logged. */
export function logLine(text: string): void {
  if (areRequestsLogged()) system.log(escapeForLog(text));
}

/**
 * Writes a message of an application, if its level is logged. @param text makes it; called only where it is written.
 */
export function logMessage(least: "errors" | "requests", text: () => string): void {
  const { level } = log();
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
  const own = log();
  if (own.level !== "errors") {
    logLine(`${what}: ${description}`);
    return;
  }
  own.reportError ??= openErrorLog(loop, (line) => system.log(escapeForLog(line)));
  own.reportError(what, description);
}

/** Writes what a start misses, whatever is logged: what serves without it would hide a slip. @param what as above. */
export function logLack(what: string, description: string): void {
  logFailure(what, description);
  if (log().level === "none") system.log(escapeForLog(`${what}: ${description}`));
}

/**
 * Writes an error that somebody threw, if failures are logged. Otherwise it makes no text, because the error may say
 * that there is no memory. @param what as for `logFailure`. @param about a text before the error's own.
 */
export function logError(what: string, error: unknown, about = ""): void {
  const own = log();
  if (own.level === "none" && observer === undefined) {
    own.failures += 1;
    return;
  }
  let description = "an error that cannot be described";
  try {
    description = interruption.call(describeError, error);
  } catch {
    // Its own properties throw, or never return.
  }
  logFailure(what, about + description);
}
