/** A program under test as a real process: started, listened to, measured, stopped. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { freeAddress, isListening } from "./address.ts";
import type { Configuration } from "./configuration.ts";
import { withConstants } from "./constants.ts";
import { commandOf, type Program } from "./environment.ts";
import { eventually, within } from "./eventually.ts";
import { childrenOf, isAsleep, isHelper } from "./process-status.ts";

/** How a process ended and what it printed. */
export interface Ending {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to start a program. */
export interface StartOptions {
  readonly program?: Program;
  /** The path of an application's text, which runs in place of the stock program. */
  readonly application?: string;
  /** Set in addition to the environment of the test run. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How many file descriptors it may have. */
  readonly descriptors?: number;
  /** A command that becomes the program, such as `prlimit --as=8000000`. */
  readonly wrapper?: readonly string[];
}

/** Puts the shell's `ulimit` before a command. The shell is replaced, so that the process's id is the program's. */
function limited(
  command: readonly [string, ...string[]],
  descriptors: number | undefined,
): readonly [string, ...string[]] {
  return descriptors === undefined ? command : ["sh", "-c", `ulimit -n ${descriptors} && exec "$@"`, "sh", ...command];
}

/** A running program. */
export class NoundProcess {
  /** Where it listens; the first, if there are several. Empty when it was not asked to listen. */
  readonly address: string;
  readonly #child: ChildProcess;
  readonly #ending: Promise<Ending>;
  #stdout = "";
  #stderr = "";
  #ended = false;

  /** Starts a program. Waits for nothing. */
  constructor(args: readonly string[], address: string, options: StartOptions = {}) {
    const { application, program: chosen = application === undefined ? "nound" : "nound-runtime" } = options;
    const [program, ...words] = limited(commandOf(chosen), options.descriptors);
    const [command = program, ...first] = [...(options.wrapper ?? []), program, ...words];
    this.address = address;
    this.#child = spawn(command, [...first, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      // Its files in /proc are looked at, which are root's alone otherwise.
      env: {
        ...process.env,
        ...(process.getuid?.() === 0 ? {} : { NOUND_DUMPABLE: "1" }),
        ...(application === undefined ? {} : { NOUND_APPLICATION: application }),
        ...options.environment,
      },
    });
    // A read may bring half a character.
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
    this.#ending = new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      // "close" comes after both pipes have been read to their ends, "exit" may not.
      this.#child.once("close", (status, signal) => {
        this.#ended = true;
        resolve({ status, signal, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
    // The code that waits for the ending learns of a failed start; until then it must not count as unhandled.
    this.#ending.catch(() => undefined);
  }

  /** The id of the process with the nouns, for /proc and for signals; that of its keeper before there is one. */
  get pid(): number {
    const keeper = this.keeper;
    try {
      return childrenOf(keeper).find((child) => !isHelper(child)) ?? keeper;
    } catch {
      return keeper;
    }
  }

  /** The id of its connector: a child of its keeper, or of itself. @throws Error if it has none. */
  get connector(): number {
    return this.helper("connector");
  }

  /** The id of its acceptor, as `connector`. */
  get acceptor(): number {
    return this.helper("acceptor");
  }

  private helper(kind: string): number {
    const helper = [this.keeper, ...childrenOf(this.keeper)].flatMap(childrenOf).find((id) => isHelper(id, kind));
    if (helper === undefined) throw new Error(`The program has no ${kind}.`);
    return helper;
  }

  /** The id of the process that was started. */
  get keeper(): number {
    if (this.#child.pid === undefined) {
      throw new Error(`${this.#child.spawnfile} could not be started. Is it built?`);
    }
    return this.#child.pid;
  }

  /** What it has printed so far, standard output first. */
  get printed(): string {
    return this.#stdout + this.#stderr;
  }

  /**
   * Waits until it listens at all the given addresses, and its start is over: between the two it gives up its
   * privileges. It is asleep for the first time then.
   */
  async listening(addresses: readonly string[] = [this.address]): Promise<void> {
    void this.pid;
    await eventually(`the program listens at ${addresses.join(", ")}`, () => {
      this.checkRuns();
      return addresses.every(isListening) && isAsleep(this.pid);
    });
    // Of connections that a server before it has ended, this process knows then: it sends nothing on them.
    await turn();
  }

  /** Waits until there is a process with the nouns, and it is none of `others`. */
  async replaced(...others: number[]): Promise<void> {
    await eventually("there is another process", () => {
      this.checkRuns();
      return ![...others, this.keeper].includes(this.pid);
    });
  }

  private checkRuns(): void {
    if (this.#ended) throw new Error(`The program has ended. It said: ${this.printed}`);
  }

  /** Sends a signal to the process with the nouns. SIGKILL goes to its keeper, which would start another one. */
  signal(name: NodeJS.Signals): void {
    process.kill(name === "SIGKILL" ? this.keeper : this.pid, name);
  }

  /** How it ends, whenever that is. */
  get ended(): Promise<Ending> {
    return this.#ending;
  }

  /** Waits until it has ended by itself; of one that was killed, until nothing of it listens any more. */
  async ending(): Promise<Ending> {
    const ending = await within(`process ${this.pid} ends`, this.#ending);
    // What it has forked ends a moment after its keeper, and has neither of the pipes.
    if (ending.signal === "SIGKILL" && this.address !== "") {
      await eventually("its port is free", () => !isListening(this.address.replace("https://", "")));
    }
    return ending;
  }

  /**
   * Ends it with SIGTERM, the way a service manager would; with SIGKILL when that does not help, which is a failure.
   */
  async stop(): Promise<Ending> {
    // It may have ended by itself, while a program that it started still has its pipes: then this does nothing.
    this.#child.kill("SIGTERM");
    try {
      return await this.ending();
    } catch (error) {
      this.kill();
      throw error;
    }
  }

  /** Ends it at once, if it still runs. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

const folder = mkdtempSync(join(tmpdir(), "nound-e2e-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** A path in a folder that goes with the test run. Nothing is there yet. */
export function temporaryPath(name: string): string {
  files += 1;
  return join(folder, `${files}-${name}`);
}

/** Writes a file that only its owner may read, as for a password or a key. @returns its path. */
export function privateFile(name: string, content: string): string {
  const path = temporaryPath(name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

/** Writes a configuration, or any text in its place, to a temporary file. @returns its path. */
export function configurationFile(content: Configuration | string): string {
  const path = temporaryPath("nound.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
  return path;
}

/**
 * Starts the stock program with a configuration, on a free loopback port unless it says where, and waits until it
 * listens.
 */
export async function startNound(
  configuration: Configuration,
  args: readonly string[] = [],
  options: StartOptions = {},
): Promise<NoundProcess> {
  const listen = configuration.listen ?? [await freeAddress()];
  const { written, environment } = withConstants({ ...configuration, listen });
  const started = new NoundProcess(["--config", configurationFile(written), ...args], listen[0] ?? "", {
    ...options,
    environment: { ...environment, ...options.environment },
  });
  await started.listening(listen.map((address) => address.replace("https://", "")));
  return started;
}

/**
 * Starts the stock program with a configuration that a test takes from elsewhere, and waits until it listens. @param
 * listen where.
 */
export async function startConfigured(
  configuration: object,
  listen: string,
  args: readonly string[] = [],
): Promise<NoundProcess> {
  const file = configurationFile(JSON.stringify(configuration));
  const started = new NoundProcess(["--config", file, ...args], listen);
  await started.listening();
  return started;
}

/**
 * Starts the host application of `application.ts` with limits and waits until it listens.
 * @param args the arguments after the address and the limits.
 */
export async function startApplication(
  limits: Configuration["limits"] = {},
  args: readonly string[] = [],
  options: StartOptions = {},
): Promise<NoundProcess> {
  const address = await freeAddress();
  const words = [address, JSON.stringify(limits), ...args];
  const started = new NoundProcess(words, address, { ...options, program: "nound-e2e" });
  await started.listening();
  return started;
}

/** Runs the stock program to its end, for command lines that start no service. */
export async function runNound(...args: readonly string[]): Promise<Ending> {
  return await endingOf(new NoundProcess(args, ""));
}

/** Runs an application to its end. @param application the path of its text. */
export async function runApplication(application: string, ...args: readonly string[]): Promise<Ending> {
  return await endingOf(new NoundProcess(args, "", { application }));
}

async function endingOf(running: NoundProcess): Promise<Ending> {
  try {
    return await running.ending();
  } finally {
    running.kill();
  }
}
