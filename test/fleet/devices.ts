/** Devices: nound processes with simulated nouns, which serve on Unix sockets. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { buildDirectory } from "../harness/environment.ts";
import { childrenOf, ownMemory } from "../harness/process-status.ts";
import { top } from "../harness/top.ts";
import { folder, type Network } from "./namespaces.ts";

/** Where the logs of devices are kept that did not do what they should. */
const keptLogs = join(top, "build/fleet-logs");

/** Requests that are under way at once. */
const abreast = 16;

/** Devices that start at once, and ms between two looks at how many have started. */
const mostStarting = 64;
const lookTime = 20;

/** The group of all devices, and groups of a tenth of them. */
export const everyone = "all";
const parts = Array.from({ length: 10 }, (_, index) => `g${index}`);

/** All groups. */
export const groupNames = [everyone, ...parts];

/** The nouns of each device: one that HTTP sets, one for roll calls, and one for commands that are counted. */
const nouns = {
  relay: { kind: "switch", key: "on", title: "Relay" },
  note: { kind: "value", default: { n: 0 } },
  job: { kind: "value", default: { n: 0 } },
};

/** How many they are. */
export const nounCount = Object.keys(nouns).length;

/**
 * Starts a program for each name in a line that it reads, and prints their numbers. Node would take longer. A shell for
 * each line, because one that knows 10,000 processes would take ever longer to start another.
 */
const start = 'for name; do "$0" --config "$name.json" 2>>"$name.log" & echo "$name $!"; done';
const launcher = `while read -r names; do sh -c '${start}' "$0" $names; done`;

/** What a device is at its broker. */
export interface Identity {
  /** Of its files. */
  readonly name: string;
  readonly id: string;
  readonly user: string;
  readonly password: string;
}

/** A device of a fleet. */
export class Device {
  readonly identity: Identity;
  readonly groups: readonly string[];
  /** The number of its keeper. */
  pid = 0;
  private logged = 0;

  constructor(identity: Identity, index: number) {
    this.identity = identity;
    this.groups = [everyone, parts[index % parts.length] ?? ""];
  }

  get id(): string {
    return this.identity.id;
  }

  /** Writes its files. @param brokers addresses. @param tls its settings of TLS, if it encrypts. */
  configure(brokers: readonly string[], tls: object | undefined): void {
    const { name, id, user, password } = this.identity;
    const file = join(folder, `${name}.password`);
    const configuration = {
      title: name,
      listen: `unix:${join(folder, `${name}.socket`)}`,
      log: "requests",
      nouns,
      mqtt: {
        server: brokers,
        id,
        user,
        password: file,
        group: this.groups,
        homeAssistant: true,
        startDelay: 10_000,
        tls,
      },
    };
    writeFileSync(file, password, { mode: 0o600 });
    writeFileSync(join(folder, `${name}.log`), "");
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(configuration));
  }

  /** Asks it. @param state sent by PUT; without one it is GET. @returns the answer. */
  ask(path: string, state?: object): Promise<string> {
    const body = state === undefined ? undefined : JSON.stringify(state);
    const method = body === undefined ? "GET" : "PUT";
    const headers = body === undefined ? {} : { "content-type": "application/json", "content-length": body.length };
    const socketPath = join(folder, `${this.identity.name}.socket`);
    return new Promise((resolve, reject) => {
      const asked = request({ socketPath, path, method, headers, agent: false }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => {
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`${this.identity.name}: ${path} answers ${response.statusCode}: ${text}`));
        });
      });
      asked.on("error", (error) => reject(new Error(`${this.identity.name}: ${error.message}`)));
      asked.end(body);
    });
  }

  /** Whether it has started. */
  get serves(): boolean {
    return existsSync(join(folder, `${this.identity.name}.socket`));
  }

  /** What it has logged since the last call. */
  readLog(): string {
    const file = openSync(join(folder, `${this.identity.name}.log`), "r");
    try {
      const bytes = Buffer.alloc(65_536);
      let text = "";
      for (;;) {
        const count = readSync(file, bytes, 0, bytes.length, this.logged);
        if (count === 0) return text;
        this.logged += count;
        text += bytes.toString("latin1", 0, count);
      }
    } finally {
      closeSync(file);
    }
  }

  /** All that it has logged. */
  get log(): string {
    return readFileSync(join(folder, `${this.identity.name}.log`), "latin1");
  }

  /** Keeps what it has logged, for who looks for a fault. */
  keepLog(): void {
    mkdirSync(keptLogs, { recursive: true });
    writeFileSync(join(keptLogs, `${this.identity.name}.log`), this.log);
  }

  /** KB of memory of its own: of its keeper, of the process with the nouns, and of the connector. */
  get memory(): readonly number[] {
    const served = childrenOf(this.pid);
    return [this.pid, ...served, ...served.flatMap(childrenOf)].map(ownMemory);
  }

  /** Ends it at once. */
  kill(): void {
    process.kill(this.pid, "SIGKILL");
  }
}

/** Does something with each, some at once. */
export async function forEach<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const work = async (): Promise<void> => {
    for (const one of left) await act(one);
  };
  await Promise.all(Array.from({ length: abreast }, work));
}

/** Starts devices. */
export class Launcher {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<string, (pid: number) => void>();

  constructor(network: Network) {
    // Each real device has a processor of its own. Here they leave time to the broker.
    const [command, ...words] = network.atDevices(
      "nice",
      "-n",
      "19",
      "sh",
      "-c",
      launcher,
      join(buildDirectory, "nound"),
    );
    this.child = spawn(command, words, {
      cwd: folder,
      stdio: ["pipe", "pipe", "ignore"],
    });
    if (this.child.stdout === null) throw new Error("The launcher has no output.");
    createInterface(this.child.stdout).on("line", (line) => {
      const [name = "", pid] = line.split(" ");
      this.waiting.get(name)?.(Number(pid));
      this.waiting.delete(name);
    });
  }

  /**
   * Starts devices that are configured. Those of a real site share no processor. Here, too many at once would answer
   * the broker too late, and have to try again.
   * @param most may have started and be not connected yet. The last ones may still be so in the end.
   */
  async start(devices: readonly Device[], most: number, isConnected: (device: Device) => boolean): Promise<void> {
    let waiting: Device[] = [];
    let starting: Device[] = [];
    for (let next = 0; next < devices.length; await delay(lookTime)) {
      starting = starting.filter((device) => !device.serves);
      waiting = waiting.filter((device) => !isConnected(device));
      const some = devices.slice(next, next + Math.min(most - waiting.length, mostStarting - starting.length));
      next += some.length;
      starting.push(...some);
      waiting.push(...some);
      if (some.length > 0) await this.launch(some);
    }
  }

  /** Starts devices that are configured, all at once. Does not wait until they serve. */
  async launch(devices: readonly Device[]): Promise<void> {
    const all = devices.map(
      (device) =>
        new Promise<void>((resolve) => {
          this.waiting.set(device.identity.name, (pid) => {
            device.pid = pid;
            resolve();
          });
        }),
    );
    this.child.stdin?.write(`${devices.map(({ identity }) => identity.name).join(" ")}\n`);
    await Promise.all(all);
  }
}
