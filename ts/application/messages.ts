/** What an application says to the people who run it. */
import { logLine } from "./log.ts";
import { system } from "./platform.ts";

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
 * Writes a line to the log, on standard error, where requests are logged: if the program was started with `--debug` or with
 * NOUND_DEBUG=1, as it is by `npm run dev`, or a `Server` has the option `log: "requests"`.
 * @param text of which all but printable ASCII is escaped.
 *
 * @example
 * log(`the motor stopped at ${now()} ms`);
 */
export function log(text: string): void {
  logLine(text);
}
