/** What an application says to the people who run it. */
import { escapeForLog } from "../server/log.ts";
import { isDebugging, system } from "./platform.ts";

/**
 * Writes a line to standard error: what a person at the start has to know. While it serves, a service is better silent: see `log`.
 * @param text as it is; what a client sent belongs into `log`.
 *
 * @example
 * if (args.length === 0) print("usage: my-device ADDRESS");
 */
export function print(text: string): void {
  system.printError(`${text}\n`);
}

/**
 * Writes a line to the debug log: standard error, if the program was started with `--debug` or with NOUND_DEBUG=1, as it is by
 * `npm run dev`. A `log` of one `Server`'s options does not get it.
 * @param text of which all but printable ASCII is escaped.
 *
 * @example
 * log(`the motor stopped at ${now()} ms`);
 */
export function log(text: string): void {
  if (isDebugging) system.log(escapeForLog(text));
}
