/** A board for the length of a test file, and nound on it for the length of a test. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { freePort } from "../../harness/address.ts";
import { eventually, within } from "../../harness/eventually.ts";
import type { Board, Pins } from "./board.ts";
import { bootFiles } from "./boot-files.ts";
import { Emulator } from "./emulator.ts";
import { Guest, type GuestEnding, type GuestProcess } from "./guest.ts";
import type { Qmp } from "./qmp.ts";
import { isServed, type Requester, requester } from "./requests.ts";

const applicationFile = "/tmp/application.js";
/** Runs the application of that file on the board. */
const application = [`NOUND_APPLICATION=${applicationFile}`, "/nound-runtime"] as const;
const controlPort = 9000;
const nounPort = 8080;
const otherPort = 8081;
const [sighup, sigkill, sigterm] = [1, 9, 15];

/** More than a process on the board has open. */
const mostDescriptors = 24;

/** This machine's loopback interface, as the board reaches it. */
export const thisMachine = "10.0.2.2";

/** A program's configuration, as far as the board tests write it. */
export interface BoardConfiguration {
  readonly nouns: Readonly<Record<string, object>>;
  /** The interface of the kernel; that which nound chooses, if left out. */
  readonly gpioBackend?: "gpiod" | "sysfs" | "auto";
  readonly log?: "errors";
  readonly stateDirectory?: string;
  readonly access?: { readonly origins: readonly string[] };
  readonly mqtt?: { readonly server: string; readonly id: string };
  readonly tls?: { readonly authorities: string };
  readonly limits?: Readonly<Record<string, number>>;
  /** Whether it serves HTTPS at the board's other port, too. */
  readonly isSealed?: boolean;
}

/** nound on the board. */
export interface BoardNound extends Requester {
  /** Where it is reached from this machine. */
  readonly address: string;
  /** @returns the processes under the one that was started, by their names. */
  processes(): Promise<readonly string[]>;
  /** Ends it with SIGTERM; it has to end well. @param output what it may have said; nothing, if left out. */
  stop(output?: unknown): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** @returns the requests of GPIO lines that its process with the nouns holds: the offsets of the lines of each. */
  requests(): Promise<readonly (readonly number[])[]>;
  /**
   * Reloads it with another configuration, and waits until the next process serves.
   * @param interfere is called right after the signal, with what kills the process with the nouns.
   */
  reload(
    configuration: BoardConfiguration,
    interfere?: (killServer: () => Promise<void>) => Promise<void>,
  ): Promise<void>;
}

/** A board that runs, with its pins from outside and a hand inside. */
export class RunningBoard<P extends Pins> {
  readonly pins: P;
  readonly guest: Guest;
  readonly #ports: ReadonlyMap<number, number>;
  readonly #qmp: Qmp;

  constructor(pins: P, ports: ReadonlyMap<number, number>, qmp: Qmp) {
    this.pins = pins;
    this.#qmp = qmp;
    this.#ports = ports;
    this.guest = new Guest(this.#outside(controlPort));
  }

  /** Plugs the network cable in, or out. Without it, nothing inside can be reached but the pins. */
  async setNetwork(up: boolean): Promise<void> {
    await this.#qmp.execute("set_link", { name: "net", up });
  }

  /** The board's other port, as this machine reaches it. */
  get otherPort(): number {
    return this.#outside(otherPort);
  }

  /** Starts nound and waits until it serves. It ends with the test, if not before. */
  async startNound(configuration: BoardConfiguration): Promise<BoardNound> {
    return await this.#start(configuration, nounPort);
  }

  /** Starts a second nound beside the first, for what two processes do to each other. */
  async startOtherNound(configuration: BoardConfiguration): Promise<BoardNound> {
    return await this.#start(configuration, otherPort);
  }

  /**
   * Runs an application on the board, and waits until it serves. It ends with the test, if not before.
   * @param bundle the path of its bundle here. @param args what follows its address.
   */
  async startApplication(bundle: string, ...args: readonly string[]): Promise<BoardNound> {
    await this.guest.write(applicationFile, readFileSync(bundle, "utf8"));
    return await this.#serve(await this.guest.run(...application, `0.0.0.0:${nounPort}`, ...args), nounPort);
  }

  /** Runs an application that is expected to end by itself. */
  async runApplication(bundle: string, ...args: readonly string[]): Promise<GuestEnding> {
    await this.guest.write(applicationFile, readFileSync(bundle, "utf8"));
    const started = await this.guest.run(...application, ...args);
    onTestFinished(async () => {
      await this.#end(started, sigkill);
    });
    return await within("the application ends on the board", started.ended);
  }

  #outside(inside: number): number {
    return this.#ports.get(inside) ?? 0;
  }

  async #launch(configuration: BoardConfiguration, port: number): Promise<GuestProcess> {
    const { gpioBackend = "auto", ...written } = configuration;
    const chosen = gpioBackend === "auto" ? [] : [`NOUND_GPIO=${gpioBackend}`];
    const [first = "/nound", ...rest] = [...chosen, "/nound", "--config", await this.#configure(written, port)];
    return await this.guest.run(first, ...rest);
  }

  async #configure(configuration: BoardConfiguration, port: number): Promise<string> {
    const file = `/tmp/${port}.json`;
    const { isSealed = false, gpioBackend: _, ...keys } = configuration;
    const listen = [`0.0.0.0:${port}`, ...(isSealed ? [`https://0.0.0.0:${otherPort}`] : [])];
    await this.guest.write(file, JSON.stringify({ ...keys, listen }));
    return file;
  }

  async #start(configuration: BoardConfiguration, port: number): Promise<BoardNound> {
    return await this.#serve(await this.#launch(configuration, port), port);
  }

  async #serve(started: GuestProcess, port: number): Promise<BoardNound> {
    let running = true;
    const end = async (signal: number, expected: { ending: string; output: unknown }): Promise<void> => {
      running = false;
      expect(await this.#end(started, signal)).toEqual(expected);
    };
    onTestFinished(() => (running ? end(sigterm, { ending: "exit 0", output: "" }) : undefined));
    let ending: GuestEnding | undefined;
    started.ended.then((value) => {
      ending = value;
    });
    await eventually("nound serves on the board", async () => {
      if (ending !== undefined) {
        running = false;
        throw new Error(`nound ended on the board, ${ending.ending}: ${ending.output}`);
      }
      return await isServed(this.#outside(port));
    });
    const { pid } = started;
    const server = () => this.guest.read(`/proc/${pid}/task/${pid}/children`).then((text) => text.split(" ")[0] ?? "");
    return {
      ...requester(this.#outside(port)),
      address: `127.0.0.1:${this.#outside(port)}`,
      processes: () => this.#processesUnder(pid),
      stop: (output = "") => end(sigterm, { ending: "exit 0", output }),
      kill: () => end(sigkill, { ending: "signal 9", output: "" }),
      requests: async () => {
        const folder = `/proc/${await server()}/fdinfo`;
        const requests: number[][] = [];
        for (let number = 0; number < mostDescriptors; number++) {
          const text = await this.guest.read(`${folder}/${number}`).catch(() => "");
          const offsets = Array.from(text.matchAll(/^gpio-line:\s*(\d+)$/gm), ([, offset]) => Number(offset));
          if (offsets.length > 0) requests.push(offsets);
        }
        return requests;
      },
      reload: async (configuration, interfere) => {
        const before = await server();
        await this.#configure(configuration, port);
        await this.guest.kill(pid, sighup);
        await interfere?.(() => this.guest.kill(Number(before), sigkill).catch(() => undefined));
        await eventually("another process serves on the board", async () => {
          const now = await server();
          return !["", before].includes(now) && (await isServed(this.#outside(port)));
        });
      },
    };
  }

  async #processesUnder(pid: number): Promise<readonly string[]> {
    const names: string[] = [];
    const children = await this.guest.read(`/proc/${pid}/task/${pid}/children`).catch(() => "");
    for (const child of children.split(" ").filter((word) => word !== "")) {
      const name = await this.guest.read(`/proc/${child}/comm`).catch(() => "");
      names.push(name.trim(), ...(await this.#processesUnder(Number(child))));
    }
    return names;
  }

  async #end({ pid, ended }: GuestProcess, signal: number): Promise<GuestEnding> {
    // It may have ended already.
    await this.guest.kill(pid, signal).catch(() => undefined);
    return await ended;
  }
}

/**
 * Boots a board before the file's first test and ends it after the last. @returns the board, to be asked for inside
 * tests.
 */
export function forAllTests<P extends Pins>(board: Board<P>): () => RunningBoard<P> {
  const folder = mkdtempSync(join(tmpdir(), "nound-board-"));
  let emulator: Emulator | undefined;
  let running: RunningBoard<P> | undefined;
  beforeAll(async () => {
    const ports = new Map<number, number>();
    for (const inside of [controlPort, nounPort, otherPort]) {
      ports.set(inside, await freePort());
    }
    const forwards = [...ports].map(([inside, outside]) => [outside, inside] as const);
    emulator = await Emulator.start(board, bootFiles(board), folder, forwards);
    const pins = await board.pins(emulator.qmp, emulator.qtest);
    await emulator.boot();
    running = new RunningBoard(pins, ports, emulator.qmp);
  });
  afterAll(async () => {
    await emulator?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    if (running === undefined) {
      throw new Error("The board runs only inside tests.");
    }
    return running;
  };
}
