/** The program around an application: its command line, its environment, its end. */
import { ofProgram } from "../../native/of-program.ts";
import { loop, system } from "../../platform/platform.ts";

/**
 * The command line, without the program's own name.
 *
 * @example
 * const [address = "127.0.0.1:8080"] = args;
 * server.listen(address);
 */
export const args: readonly string[] = system.args;

/**
 * An environment variable, or undefined.
 *
 * @example
 * server.listen(environment("LISTEN") ?? "127.0.0.1:8080");
 */
export function environment(name: string): string | undefined {
  return system.environment(name);
}

const signals = ofProgram(() => ({ areHandled: false }));

/** @returns whether the program handles signals itself. */
export function isSignalHandled(): boolean {
  return signals().areHandled;
}

/**
 * Sets the handler of SIGTERM, SIGINT and SIGHUP. It replaces the previous handler, and the one by which a `Server`
 * that listens ends the program, or reloads it, whether it listens already or later. SIGHUP comes after a check of the
 * program has succeeded (`--check`). If the handler then ends the program, it starts again, and takes over its lines.
 *
 * @example
 * onSignal((name) => {
 *   if (name === "SIGHUP") reload();
 *   else void server.close().then(() => quit(0));
 * });
 */
export function onSignal(handler: (name: "SIGTERM" | "SIGINT" | "SIGHUP") => void): void {
  signals().areHandled = true;
  loop.onSignal(handler);
}

/**
 * Ends the program at the end of this turn of its loop.
 * @param status 0 to 255; 0 says that all is well.
 *
 * @example
 * void server.close().then(() => quit(0));
 */
export function quit(status: number): void {
  loop.exit(status);
}
