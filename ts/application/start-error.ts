/** What keeps the program from starting, and the exit statuses it ends with (sysexits.h has their numbers). */

import { oneLine } from "./one-line.ts";
import { loop, system } from "./platform.ts";

/** The exit statuses of the program. A signal that ends it before its time gives 128 and the signal's number. */
export const exitStatus = {
  /** Asked to end, or nothing to serve: `--help`, `--version`, `--check`. */
  success: 0,
  /** EX_USAGE: the command line is wrong. */
  usage: 64,
  /** EX_NOINPUT: the application cannot be read, or is no ES module. */
  application: 66,
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

/** @returns the sentence of what was thrown. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * @param status the exit status if it fails.
 * @param prefix of the line that then says why.
 * @returns what `act` returns.
 * @throws StartError with the sentence of what it throws.
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
