/** The log of the process: what it writes to standard error while it serves. Nothing, unless it is asked for. */

import { escapeForLog, type OnFailure } from "../server/log.ts";
import { openErrorLog } from "./error-log.ts";
import { isDebugging, loop, system } from "./platform.ts";

/**
 * How much is logged: nothing; what fails, each noun at once and then at most once a minute with a count; or a line for each address,
 * connection, request, refusal and error.
 *
 * @example
 * const log: LogLevel = "errors";
 * const server = new Server({ log });
 */
export type LogLevel = "none" | "errors" | "requests";

/** The most that anybody asked for. What belongs to no server is logged by it. */
let level: LogLevel;
/** Made when something fails. */
let reportError: OnFailure | undefined;
/** Is told of each failure besides, whatever is logged. */
let observer: OnFailure | undefined;

/** Begins again: nobody has asked for anything but `--debug`. */
export function resetLog(): void {
  level = isDebugging ? "requests" : "none";
  reportError = undefined;
}

resetLog();

/** Has so much logged from now on. @returns how much, as `--debug` may have asked for more. */
export function raiseLog(asked: LogLevel): LogLevel {
  if (asked === "requests" || level === "none") level = asked;
  return isDebugging ? "requests" : asked;
}

/** Writes a line where requests are logged. */
export function logLine(text: string): void {
  if (level === "requests") system.log(escapeForLog(text));
}

/** Writes what an application says, where so much is logged. @param text makes it; called only where it is written. */
export function logMessage(least: "errors" | "requests", text: () => string): void {
  if (level === "requests" || level === least) system.log(escapeForLog(text()));
}

/** Has each failure told of, whatever is logged: in tests. */
export function observeFailures(to: OnFailure): void {
  observer = to;
}

/** @returns whether anybody is to be told of a failure, where so much is logged. */
export function areFailuresTold(asked: LogLevel): boolean {
  return asked === "errors" || observer !== undefined;
}

/** Writes a failure where failures are logged. @param what failed: a noun's name, or words. @param description for people. */
export function logFailure(what: string, description: string): void {
  observer?.(what, description);
  if (level !== "errors") {
    logLine(`${what}: ${description}`);
    return;
  }
  reportError ??= openErrorLog(loop, (line) => system.log(escapeForLog(line)));
  reportError(what, description);
}
