/** Runs an application as a service, with the command line and the exit statuses of the stock program, by one call. */
import * as keeper from "nound:keeper";
import type { Noun } from "../../core/noun/noun.ts";
import type { Reach } from "../../native/privileges.ts";
import type { DeviceOptions } from "../../parts/documents/part.ts";
import { isListenAddress } from "../../platform/listen-address.ts";
import { logLine, logMessage, raiseLog } from "../../platform/log.ts";
import { readOptions } from "../../platform/option-reader.ts";
import { isChecking, loop, system } from "../../platform/platform.ts";
import { keepProcessLimits } from "../../platform/process-limits.ts";
import { attempt, end, exitStatus, isRefusal, StartError, sentenceOf } from "../../platform/start-error.ts";
import { areOutputsAsked, outputsOf } from "./guarded-outputs.ts";
import type { LeftByCheck } from "./hand-over.ts";
import type { ServerOptions } from "./parts.ts";
import { restrict } from "./privileges.ts";
import { Server } from "./server.ts";

/**
 * The application that `serve` runs.
 *
 * @example
 * const application: Application = {
 *   name: "hall",
 *   version: "1.0.0",
 *   listen: "127.0.0.1:8080",
 *   nouns: () => ({ lamp: gpioOutputNoun({ line: "GPIO17", key: "lamp" }) }),
 * };
 * const server = serve(application);
 */
export interface Application extends ServerOptions, DeviceOptions {
  /** The program's name in its help and its messages. */
  readonly name: string;
  /** The version that `--version` prints. */
  readonly version: string;
  /** The address to listen on, in the form of `Server.listen`, or a list of them. `--listen` replaces them. */
  readonly listen: string | readonly string[];
  /** Makes the nouns, by their names. It is called once, and not at all for `--help` and `--version`. */
  readonly nouns: () => { readonly [name: string]: Noun };
  /**
   * What the program opens later. Once the server listens, `serve` gives up everything else, as `restrict` does.
   * `"unrestricted"` keeps all rights.
   */
  readonly reach?: Reach | "unrestricted";
}

const options = ["--help", "--version", "--check", "--simulate", "--debug"];

function helpText({ name }: Application, addresses: readonly string[]): string {
  return `Usage: ${name} [OPTION]... [-- ARGUMENT...]

Serves nouns to HTTP clients. A noun has a state: GET reads it, PUT sets it,
POST updates it, DELETE resets it.

      --listen ADDRESS  listen here instead of on ${addresses.join(", ")}:
                        127.0.0.1:8080, [::1]:8080 or unix:/run/${name}.sock;
                        may be given more than once
      --simulate        simulate the hardware
      --check           make the nouns on simulated hardware, print what would
                        be served, and exit
      --debug           log connections, requests and errors to standard error,
                        as NOUND_DEBUG=1 in the environment does
      --version         print the version and exit
  -h, --help            print this help and exit
`;
}

/** Registers the nouns. @returns their names. @throws StartError if the device refuses one; otherwise an Error. */
function registerOwn(server: Server, { nouns }: Application): readonly string[] {
  try {
    const made = Object.entries(nouns());
    for (const [name, noun] of made) server.register(name, noun);
    return made.map(([name]) => name);
  } catch (error) {
    throw isRefusal(error) ? new StartError(sentenceOf(error), exitStatus.unavailable) : error;
  }
}

/** Leaves which nouns the next process has, for the process that serves. */
function leaveNames(names: readonly string[]): void {
  const left: LeftByCheck = { areAlone: false, outputs: outputsOf(names) };
  keeper.leave(JSON.stringify(left), true);
  keeper.handOver(true);
}

/** Does what the command line asks for. @throws StartError saying why it cannot. */
function perform(server: Server, application: Application): void {
  const { name, version, reach = {} } = application;
  const own = typeof application.listen === "string" ? [application.listen] : application.listen;
  const { values, flags } = readOptions(system.args, { name, values: { "--listen": "ADDRESS" }, flags: options });
  const addresses = values["--listen"] ?? own;
  if (flags.has("--help") || flags.has("--version")) {
    system.printOutput(
      flags.has("--help")
        ? helpText(application, own)
        : `${name} ${version} (nound ${system.version}; ${system.build})\n`,
    );
    loop.exit(exitStatus.success);
    return;
  }
  const names = registerOwn(server, application);
  if (isChecking) {
    const wrong = addresses.find((address) => !isListenAddress(address));
    if (wrong !== undefined) throw new StartError(`"${wrong}" is no address to listen on`, exitStatus.unavailable);
    if (keeper.isChecker() && areOutputsAsked()) leaveNames(names);
    const nouns = names.length === 1 ? "1 noun" : `${names.length} nouns`;
    system.printOutput(`${name} ${version}: ${nouns}, listens on ${addresses.join(", ")}\n`);
    loop.exit(exitStatus.success);
    return;
  }
  logMessage("errors", () => `${name} ${version} (nound ${system.version})`);
  attempt(exitStatus.unavailable, () => {
    for (const address of addresses) server.listen(address);
    if (reach !== "unrestricted") logLine(`serving with ${restrict(reach)}`);
  });
}

/**
 * Makes an application a service. It understands `--help`, `--version`, `--listen ADDRESS`, `--check`, `--simulate` and
 * `--debug`; what follows `--` is the application's own. Once it listens, it gives up every right that it no longer
 * needs, as `restrict` does, unless `reach` says otherwise: so open hardware in `nouns`, and name in `reach` what is
 * opened later. It ends with the stock program's statuses: 64 for a wrong command line, 69 if hardware or an address is
 * missing or in use, with one line that says so, and 70 for a mistake in the program, with its stack.
 * @returns the server, for tests and for nouns that come later. After `--help`, `--version` and `--check` it serves
 *   nothing, and the program ends with this turn.
 *
 * @example
 * const server = serve({
 *   name: "hall",
 *   version: "1.0.0",
 *   listen: "127.0.0.1:8080",
 *   nouns: () => ({ lamp: gpioOutputNoun({ line: "GPIO17", key: "lamp" }) }),
 * });
 */
export function serve(application: Application): Server {
  const { name: _name, version: _version, listen: _listen, nouns: _nouns, reach: _reach, ...options } = application;
  const server = new Server(options);
  keepProcessLimits();
  raiseLog(options.log ?? "none");
  try {
    perform(server, application);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    // Everything open is closed in order, because the path of a Unix socket must be removed.
    void server.close().then(() => end(error, application.name));
  }
  return server;
}
