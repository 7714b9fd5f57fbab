/** The stock program: from the command line to a server that listens, and from a signal to its end. */
import type { Guard } from "../native/guard.ts";
import type { Hash } from "../native/hash.ts";
import type { Loop } from "../native/loop.ts";
import type { Memory } from "../native/memory.ts";
import type { Net } from "../native/net.ts";
import type { Privileges } from "../native/privileges.ts";
import type { Script } from "../native/script.ts";
import type { System } from "../native/system.ts";
import { endOnSignal } from "../server/end-on-signal.ts";
import { describeError, escapeForLog } from "../server/log.ts";
import { Server } from "../server/server.ts";
import { loadAccess, printNewToken } from "./access.ts";
import { chooseAccount, giveUp } from "./account.ts";
import { BuiltNouns } from "./built-nouns.ts";
import { helpText, parseCommandLine, type ServeCommand } from "./command-line.ts";
import { type Configuration, readConfiguration } from "./configuration.ts";
import { demonstration, demonstrationNoun } from "./demonstration.ts";
import { type Hardware, simulateHardware } from "./hardware.ts";
import { JsonSyntaxError, parseJson } from "./json.ts";
import { curlLine } from "./listen-address.ts";
import { runApplication } from "./run-application.ts";
import { ConfigurationError } from "./setting.ts";
import { exitStatus, StartError, sentenceOf } from "./start-error.ts";

/** The C modules the program stands on. */
export interface Platform {
  readonly net: Net;
  readonly hash: Hash;
  readonly loop: Loop;
  readonly guard: Guard;
  readonly memory: Memory;
  readonly system: System;
  readonly script: Script;
  readonly privileges: Privileges;
  readonly hardware: Hardware;
}

type Log = (line: string) => void;

/** Bytes a configuration may have. */
const configurationBytes = 262_144;

/**
 * Does what the command line says, or prints one line saying why not; either way the loop is told how the process ends.
 * Once the server listens, the loop serves until a signal.
 */
export function runDaemon(platform: Platform): void {
  try {
    run(platform);
  } catch (error) {
    if (!(error instanceof StartError)) {
      throw error;
    }
    end(platform, error);
  }
}

function end({ loop, system }: Platform, { message, status }: StartError): void {
  system.printError(`nound: ${message}\n`);
  loop.exit(status);
}

function run(platform: Platform): void {
  const { loop, system } = platform;
  const command = parseCommandLine(system.args);
  switch (command.action) {
    case "help":
      system.printOutput(helpText);
      loop.exit(exitStatus.success);
      return;
    case "version":
      system.printOutput(
        `nound ${system.version} (${system.build}; GPIO: ${platform.hardware.gpio.backends.join(", ")})\n`,
      );
      loop.exit(exitStatus.success);
      return;
    case "check": {
      const { nouns, listen, access } = loadConfiguration(system, command.config);
      const { tokens } = loadAccess(system, access);
      const nounCount = nouns.size === 1 ? "1 noun" : `${nouns.size} nouns`;
      const tokenCount = new Set(tokens?.map(({ name }) => name)).size;
      const speakers = tokenCount === 0 ? "" : tokenCount === 1 ? ", 1 token" : `, ${tokenCount} tokens`;
      const addresses = command.listen.length > 0 ? command.listen : listen;
      system.printOutput(`${command.config}: ${nounCount}${speakers}, listens on ${addresses.join(", ")}\n`);
      loop.exit(exitStatus.success);
      return;
    }
    case "new-token":
      printNewToken(system, platform.hash, command.name);
      loop.exit(exitStatus.success);
      return;
    case "run":
      runApplication(system, platform.script, command);
      return;
    case "serve":
      serve(platform, command);
  }
}

function loadConfiguration(system: System, path: string): Configuration {
  let text: string;
  try {
    text = system.readTextFile(path, configurationBytes, "asRoot");
  } catch (error) {
    throw new StartError(sentenceOf(error), exitStatus.configuration);
  }
  try {
    return readConfiguration(parseJson(text));
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof ConfigurationError) {
      throw new StartError(`${path}: ${error.message}`, exitStatus.configuration);
    }
    throw error;
  }
}

function serve(platform: Platform, command: ServeCommand): void {
  const { net, loop, guard, memory, hash, system, privileges } = platform;
  const isDemonstration = command.config === undefined;
  // Before the configuration is read, which may be this user's.
  chooseAccount(privileges, command.account);
  const configuration =
    command.config === undefined ? readConfiguration(demonstration) : loadConfiguration(system, command.config);
  if (command.account === undefined) chooseAccount(privileges, configuration.account);
  const log = openLog(system, command.debug || configuration.debug);
  reportErrors(loop, log);
  const server = new Server(
    { net, clock: loop, guard, memory, hash },
    {
      limits: configuration.limits,
      access: loadAccess(system, configuration.access),
      ...(log === undefined ? {} : { log }),
    },
  );
  const nouns = planNouns(platform, command, configuration, log);
  let addresses: string[];
  let given: string;
  try {
    for (const [name, noun] of nouns.build()) server.register(name, noun);
    // Before it listens: whoever sees that it does may end it in order.
    endOnSignal(loop, { closeServer: () => server.close(), closeNouns: () => nouns.close(), log });
    addresses = listenOn(server, command.listen.length > 0 ? command.listen : configuration.listen);
    given = giveUp(privileges);
  } catch (error) {
    // What is open already is closed in order: the path of a Unix socket must not stay behind.
    nouns.close();
    void server.close().then(() => end(platform, toStartError(error)));
    return;
  }
  for (const address of addresses) {
    log?.(escapeForLog(`listening on ${address}`));
  }
  log?.(`serving with ${given}`);
  if (isDemonstration) {
    const names = [...configuration.nouns.keys()].join(", ");
    const curl = curlLine(addresses[0] ?? "", demonstrationNoun);
    system.printError(`nound: serving ${names} on ${addresses.join(", ")} for a demonstration; try: ${curl}\n`);
  }
}

/** @returns where the debug log goes; undefined, and so to nowhere, unless it is asked for. */
function openLog(system: System, debug: boolean): Log | undefined {
  const wanted = debug || !["", "0", undefined].includes(system.environment("NOUND_DEBUG"));
  return wanted ? (line) => system.printError(`${line}\n`) : undefined;
}

/** One noun that fails must not end the service for the others: without these handlers an error would. */
function reportErrors(loop: Loop, log: Log | undefined): void {
  loop.onUncaughtError((error) => log?.(escapeForLog(`uncaught error: ${describeError(error)}`)));
  loop.onUnhandledRejection((reason) => log?.(escapeForLog(`unhandled rejection: ${describeError(reason)}`)));
}

function planNouns(
  { loop, hardware }: Platform,
  { simulate }: ServeCommand,
  configuration: Configuration,
  log: Log | undefined,
): BuiltNouns {
  const simulated = simulate ? simulateHardware(loop) : undefined;
  return new BuiltNouns(configuration, {
    clock: loop,
    hardware: simulated ?? hardware,
    simulated,
    report: (where, error) => log?.(escapeForLog(`${where}: ${describeError(error)}`)),
  });
}

function listenOn(server: Server, addresses: readonly string[]): string[] {
  try {
    return addresses.map((address) => server.listen(address));
  } catch (error) {
    throw new StartError(sentenceOf(error), exitStatus.unavailable);
  }
}

/** An error that nobody foresaw is a mistake of this program, and is reported as one. */
function toStartError(error: unknown): StartError {
  return error instanceof StartError ? error : new StartError(sentenceOf(error), exitStatus.software);
}
