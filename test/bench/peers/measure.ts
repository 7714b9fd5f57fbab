/** What the peers need: files, idle memory, and processor time of a GET. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { processorTime, residentMemory } from "../process-account.ts";
import { freePort, loadCpu, serverCpu } from "../running-server.ts";
import { endsWithParent } from "../tools.ts";
import type { Peer } from "./peers.ts";

/** What was measured of a peer. */
export interface PeerFigures {
  readonly peer: Pick<Peer, "title" | "version" | "how">;
  /** Bytes of its files. */
  readonly size: number;
  /** Bytes that are resident when idle. */
  readonly memory: number;
  /** ns of processor time of a GET, or undefined without HTTP. */
  readonly get: number | undefined;
}

/** Turns of the load, of which the least disturbed counts, and seconds of each. */
const turns = 9;
const seconds = 1;

function sizeOf(files: readonly string[]): number {
  const { stdout } = spawnSync("du", ["--apparent-size", "-scbL", ...files], { encoding: "utf8" });
  return Number(/^(\d+)\ttotal$/m.exec(stdout)?.[1]);
}

/** A process and those below it. */
function treeOf(pid: number): readonly number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, , parent] = readFileSync(`/proc/${name}/stat`, "latin1").replace(/^.*\)/s, "()").split(" ");
        return [[Number(name), Number(parent)] as const];
      } catch {
        return []; // it has ended
      }
    });
  const below = (id: number): number[] => [
    id,
    ...parents.filter(([, parent]) => parent === id).flatMap(([child]) => below(child)),
  ];
  return below(pid);
}

/** Bytes that only this process has. */
function privateMemory(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
  return [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].reduce(
    (sum, [, kB]) => sum + 1_024 * Number(kB),
    0,
  );
}

/** The resident memory of the largest process, and what is private to the others. */
function memoryOf(pid: number): number {
  const [largest = pid, ...others] = [...treeOf(pid)].sort((a, b) => residentMemory(b) - residentMemory(a));
  return residentMemory(largest) + others.reduce((sum, other) => sum + privateMemory(other), 0);
}

/** ns of processor time of a process and those below it. One that ends meanwhile is in its parent's account. */
function timeOf(pid: number): number {
  return treeOf(pid).reduce((sum, one) => {
    try {
      return sum + processorTime(one);
    } catch {
      return sum;
    }
  }, 0);
}

function loadOnce(url: string): number {
  const words = ["-c", String(loadCpu), "wrk", "-t1", "-c1", `-d${seconds}s`, url];
  const { stdout } = spawnSync("taskset", words, { encoding: "utf8" });
  const [, requests] = /^ +(\d+) requests in /m.exec(stdout) ?? [];
  if (requests === undefined || /Non-2xx/.test(stdout)) throw new Error(`${url} did not answer: ${stdout}`);
  return Number(requests);
}

/** ns of processor time of a GET: the least of the turns, after one that warms the program up. */
function timeOfGet(pid: number, url: string): number {
  loadOnce(url);
  const times = Array.from({ length: turns }, () => {
    const before = timeOf(pid);
    const requests = loadOnce(url);
    return (timeOf(pid) - before) / requests;
  });
  return Math.min(...times);
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

function start(words: readonly [string, ...string[]], folder: string): ChildProcess {
  const [first, ...rest] = endsWithParent;
  const command = [...rest, "taskset", "-c", String(serverCpu), ...words];
  return spawn(first, command, { cwd: folder, stdio: "ignore" });
}

/** Starts a peer and measures it. @param scratch a folder in which it gets one of its own. */
export async function measurePeer(peer: Peer, scratch: string): Promise<PeerFigures> {
  const folder = mkdtempSync(join(scratch, "peer-"));
  const port = await freePort();
  const broker = peer.path === undefined ? start(["mosquitto", "-p", String(port)], folder) : undefined;
  const process = start(peer.command(port, folder), folder);
  const pid = process.pid ?? 0;
  try {
    const url = `http://127.0.0.1:${port}${peer.path ?? ""}`;
    for (let tries = 0; peer.path !== undefined && !(await answers(url)); tries++) {
      if (tries > 200 || process.exitCode !== null) throw new Error(`${peer.title} does not answer at ${url}`);
      await delay(200);
    }
    // What a start leaves to do is done by then.
    await delay(15_000);
    const memory = memoryOf(pid);
    const get = peer.path === undefined ? undefined : timeOfGet(pid, url);
    return { peer, size: sizeOf(peer.files), memory, get };
  } finally {
    process.kill("SIGTERM");
    broker?.kill("SIGTERM");
  }
}
