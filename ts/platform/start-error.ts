/** The error of a program that cannot start, and the exit statuses (their numbers are those of sysexits.h). */

import { oneLine } from "./one-line.ts";
import { loop, system } from "./platform.ts";

/** The exit statuses of the program. If a signal ends it otherwise, the status is 128 plus the signal's number. */
export const exitStatus = {
  /** A signal ended the program in order, or there was nothing to serve: `--help`, `--version`, `--check`. */
  success: 0,
  /** EX_USAGE: the command line is wrong. */
  usage: 64,
  /** EX_UNAVAILABLE: an address cannot be listened on, or a noun cannot be made. */
  unavailable: 69,
  /** EX_SOFTWARE: the program itself is wrong. */
  software: 70,
  /** EX_CONFIG: the configuration is wrong or cannot be read. */
  configuration: 78,
} as const;

/** The program cannot start. The message has a line for each reason, for the person who started it. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly status: number;

  /**
   * @param reasons what is wrong and what to do, without the program's name.
   * @param status the exit status, of `exitStatus`.
   */
  constructor(reasons: string | readonly string[], status: number) {
    super([reasons].flat().map(oneLine).join("\n"));
    this.status = status;
  }
}

/** The process that accepts encrypted connections cannot start: its certificate cannot be used. */
export class HttpsError extends Error {
  override readonly name = "HttpsError";
}

/**
 * If hardware or the system refuses something, it throws a plain Error with a sentence. Any other error is a mistake in
 * the program, so its stack is printed.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
}

/** @returns the message of a thrown value. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * @param status the exit status if it fails.
 * @param prefix the beginning of the line that says why.
 * @returns what `act` returns.
 * @throws StartError with the message of what `act` throws.
 */
export function attempt<T>(status: number, act: () => T, prefix = ""): T {
  try {
    return act();
  } catch (error) {
    throw new StartError(prefix + sentenceOf(error), status);
  }
}

/** Ends the program with the lines that say why. @param program its name. */
export function end({ message, status }: StartError, program = "nound"): void {
  for (const line of message.split("\n")) system.printError(`${program}: ${line}\n`);
  loop.exit(status);
}
