/**
 * Clients that vanish without a word, as a phone does that leaves the network: they are in a network namespace of their
 * own, which from one moment on sends no packet any more. Not even an RST tells the server.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../harness/address.ts";
import { onBuildServer } from "../harness/environment.ts";
import { EventClient } from "../harness/event-client.ts";
import { eventually } from "../harness/eventually.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put } from "../harness/request.ts";
import { forThisTest } from "../harness/served.ts";
import { expectMedian } from "../harness/waiting-time.ts";

function tries(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const canIsolate = tries("unshare", "--net", "ip", "link", "add", "probe0", "type", "veth", "peer", "name", "probe1");
const skipped = canIsolate || onBuildServer ? "" : " (skipped: this user cannot make network namespaces)";

/** A network of two ends, this one and that of the clients. */
class Network {
  /** This end. */
  readonly host: string;
  private readonly holder: ChildProcess;
  private readonly other: string;

  private constructor(holder: ChildProcess, number: number) {
    this.holder = holder;
    this.host = `10.213.${number}.1`;
    this.other = `10.213.${number}.2`;
  }

  /**
   * Makes a device that leads to the other namespace. @returns its number, which no other suite on this machine has
   * now.
   */
  private static connect({ pid = 0 }: ChildProcess): number {
    for (let tried = 0; tried < 256; tried++) {
      const number = (pid + tried) % 256;
      const peer = ["peer", "name", "client0", "netns", `${pid}`];
      const { status, stderr } = spawnSync("ip", ["link", "add", `nound${number}`, "type", "veth", ...peer]);
      if (status === 0) return number;
      if (!stderr.toString().includes("File exists")) throw new Error(`ip link add: ${stderr.toString()}`);
    }
    throw new Error("All 256 devices exist.");
  }

  /** Makes one, which goes with the test. */
  static async make(): Promise<Network> {
    const holder = spawn("unshare", ["--net", "sleep", "300"], { stdio: "ignore" });
    onTestFinished(() => void holder.kill("SIGKILL"));
    await eventually("the namespace", () =>
      tries("sh", "-c", `[ "$(readlink /proc/${holder.pid}/ns/net)" != "$(readlink /proc/self/ns/net)" ]`),
    );
    const number = Network.connect(holder);
    const network = new Network(holder, number);
    const ours = `nound${number}`;
    const ip = (...args: string[]) => execFileSync("ip", args);
    ip("addr", "add", `${network.host}/24`, "dev", ours);
    ip("link", "set", ours, "up");
    execFileSync("nsenter", network.inside("ip", "addr", "add", `${network.other}/24`, "dev", "client0"));
    execFileSync("nsenter", network.inside("ip", "link", "set", "client0", "up"));
    return network;
  }

  /** From now on no packet leaves the clients' end. */
  silence(): void {
    execFileSync("nsenter", this.inside("ip", "route", "add", "blackhole", `${this.host}/32`));
  }

  /** Opens streams from the other end, which stay there until the test ends. */
  async openStreams(address: string, target: string, count: number): Promise<void> {
    const script = `
      const [host, port] = ${JSON.stringify(address)}.split(":");
      let open = 0;
      for (let i = 0; i < ${count}; i++) {
        const socket = require("node:net").connect(Number(port), host);
        socket.write("GET ${target} HTTP/1.1\\r\\nHost: a\\r\\nAccept: text/event-stream\\r\\n\\r\\n");
        socket.once("data", () => ++open === ${count} && console.log("open"));
        socket.on("data", () => {});
        socket.on("error", () => {});
      }`;
    const clients = spawn("nsenter", this.inside(process.execPath, "-e", script), {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void clients.kill("SIGKILL"));
    let output = "";
    clients.stdout.on("data", (bytes: Buffer) => {
      output += bytes.toString();
    });
    await eventually(`${count} streams`, () => output === "open\n");
  }

  private inside(...command: readonly string[]): string[] {
    return ["--net", "--target", `${this.holder.pid}`, ...command];
  }
}

const nouns = {
  led: { kind: "switch", key: "led", values: [0, 1], default: 0 },
  note: { kind: "value", default: { n: 0 } },
} as const;

/** A server all of whose places are taken by clients that vanish. */
interface Case {
  readonly maxStreams: number;
  readonly streamInterval: number;
  readonly target: "/led" | "/note";
}

const cases: readonly Case[] = [
  { maxStreams: 32, streamInterval: 15_000, target: "/led" },
  { maxStreams: 128, streamInterval: 15_000, target: "/led" },
  // The last word to each client is said just before it would have been given up.
  { maxStreams: 32, streamInterval: 11_800, target: "/led" },
  // Changes each second.
  { maxStreams: 32, streamInterval: 15_000, target: "/note" },
];

/** Changes the noun that is to change, and asks as a client does that was not there before. */
async function use(address: string, n: number): Promise<void> {
  const connection = await RawConnection.open(address);
  connection.send(put("/note", { n }) + get("/led"));
  expect((await connection.response()).status).toBe(200);
  expect((await connection.response()).status).toBe(200);
  connection.drop();
}

/** Lets all clients of a server vanish at once. @returns ms until clients asked that found all places free. */
async function vanish({ maxStreams, streamInterval, target }: Case): Promise<number> {
  const network = await Network.make();
  const address = `${network.host}:${await freePort()}`;
  const limits = { maxStreams, streamInterval };
  const nound = forThisTest(await startNound({ listen: [address], limits, nouns }));
  await network.openStreams(nound.address, target, maxStreams);
  network.silence();
  const since = performance.now();
  const places: EventClient[] = [];
  return await eventually(`${maxStreams} places of ${target} are free`, async () => {
    await use(address, target === "/note" ? Math.round(performance.now()) : 0);
    const elapsed = performance.now() - since;
    // As many as there may be free places; who finds none is refused.
    const tried = Array.from({ length: maxStreams - places.length }, () => new EventClient(address, target));
    await eventually("their answers", () => tried.every((client) => client.received !== "" || client.hasEnded));
    for (const client of tried) {
      if (client.received.startsWith("HTTP/1.1 200 ")) places.push(client);
      else client.drop();
    }
    if (places.length < maxStreams) await delay(500);
    return places.length === maxStreams && elapsed;
  });
}

test.skipIf(skipped !== "")(
  `places of vanished clients are free within 30 s (judged by test:time), and GET is answered${skipped}`,
  async () => {
    const times = await Promise.all(cases.map(vanish));
    for (const [index, { maxStreams, streamInterval, target }] of cases.entries()) {
      const places = `${maxStreams} places of ${target} (streamInterval ${streamInterval}) are free`;
      expectMedian(places, [times[index] ?? Number.NaN], 30_000);
    }
  },
);
