/**
 * Namespaces for everything that a run starts (namespaces(7)): its processes end with its first one, however that ends,
 * and its mounts and networks with them.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { eventually } from "../harness/eventually.ts";

const inside = "NOUND_FLEET_NAMESPACES";

/** Where all files of a run are, in memory. Sockets have short names there. */
export const folder = "/mnt";

/** @returns whether this process has namespaces of its own. */
export function isInside(): boolean {
  return process.env[inside] === "1";
}

/** Runs this program again, in namespaces of its own. @returns its status. */
export function runInNamespaces(): number {
  const [, script = "", ...words] = process.argv;
  // The shell stays, as the first process: it collects those whose parents have ended.
  const prepared = `mount -t tmpfs -o size=80% nound-fleet ${folder} && ip link set lo up; "$@"; exit $?`;
  const unshare = ["unshare", "--net", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc"];
  const program = ["sh", "-c", prepared, "sh", process.execPath, script, ...words];
  const { status } = spawnSync("setpriv", ["--pdeathsig", "KILL", ...unshare, ...program], {
    stdio: "inherit",
    env: { ...process.env, [inside]: "1" },
  });
  return status ?? 1;
}

/** Runs a command. @throws Error with what it said, if it fails. */
export function run(command: string, ...words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, words, { encoding: "utf8", maxBuffer: 64_000_000 });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")}: ${error?.message ?? `${stdout}${stderr}`.trim()}`);
  return stdout;
}

/** Where brokers listen: for devices, and for the observer, whose link is never cut. */
export const brokerHost = "10.9.0.1";
export const controlHost = "10.8.0.1";

/** A network, as long as the process that holds it. */
async function holder(): Promise<number> {
  const child = spawn("unshare", ["--net", "sh", "-c", "ip link set lo up && echo && exec sleep infinity"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  return child.pid ?? 0;
}

/** @returns the words that run a command in the network of a process. */
function inNetworkOf(pid: number, words: readonly string[]): [string, ...string[]] {
  return ["nsenter", `--net=/proc/${pid}/ns/net`, ...words];
}

function runIn(pid: number, ...words: readonly string[]): void {
  const [first, ...rest] = inNetworkOf(pid, words);
  run(first, ...rest);
}

/** The networks of the brokers and of the devices. This program has a link to the brokers, too. */
export class Network {
  private readonly brokers: number;
  private readonly devices: number;

  private constructor(brokers: number, devices: number) {
    this.brokers = brokers;
    this.devices = devices;
  }

  static async create(): Promise<Network> {
    const network = new Network(await holder(), await holder());
    const { brokers, devices } = network;
    network.link("control", "10.8.1.1", process.pid, controlHost);
    network.link("devices", "10.9.1.1", devices, brokerHost);
    // One address of a client has no more connections to one of a broker than this.
    runIn(devices, "sh", "-c", "echo 10000 65000 > /proc/sys/net/ipv4/ip_local_port_range");
    runIn(brokers, "sh", "-c", "echo 16384 > /proc/sys/net/core/somaxconn");
    await eventually("the links are up", () => run("ip", "link", "show", "control").includes("state UP"));
    return network;
  }

  /** @returns the words that run a command in the network of the brokers. */
  atBrokers(...words: readonly string[]): [string, ...string[]] {
    return inNetworkOf(this.brokers, words);
  }

  /** @returns the words that run a command in the network of the devices. */
  atDevices(...words: readonly string[]): [string, ...string[]] {
    return inNetworkOf(this.devices, words);
  }

  /** What the kernel has counted of the devices' TCP, as in /proc/net/snmp. */
  get counters(): string {
    return readFileSync(`/proc/${this.devices}/net/snmp`, "latin1");
  }

  /** Cuts the devices off, as an unplugged cable does, or connects them again. */
  cut(isCut: boolean): void {
    runIn(this.brokers, "ip", "link", "set", "devices", isCut ? "down" : "up");
  }

  private link(name: string, near: string, pid: number, far: string): void {
    const { brokers } = this;
    run(
      "ip",
      "link",
      "add",
      name,
      "netns",
      String(pid),
      "type",
      "veth",
      "peer",
      "name",
      name,
      "netns",
      String(brokers),
    );
    for (const [at, address] of [
      [pid, near],
      [brokers, far],
    ] as const) {
      runIn(at, "ip", "address", "add", `${address}/16`, "dev", name);
      runIn(at, "ip", "link", "set", name, "up");
    }
  }
}
