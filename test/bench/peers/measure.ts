/** What the peers need: files, idle memory, and processor time of a GET. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { processTree, residentMemory, treeTime } from "../process-account.ts";
import { freePort, loadCpu, serverCpu } from "../running-server.ts";
import { markdownTable } from "../table.ts";
import { endsWithParent } from "../tools.ts";
import { installPeers, type Peer } from "./peers.ts";

/** What was measured of a peer. */
interface PeerFigures {
  readonly peer: Pick<Peer, "title" | "version" | "how">;
  /** Bytes of its files. */
  readonly size: number;
  /** Bytes that are resident when idle. */
  readonly memory: number;
  /** Processor time of a GET divided by nound's, or undefined without HTTP. */
  readonly ratio: number | undefined;
}

/** A program that serves. */
interface Running {
  readonly pid: number;
  readonly url: string;
}

/** Turns of the load, and seconds of each. */
const turns = 9;
const seconds = 1;

function sizeOf(files: readonly string[]): number {
  const { stdout } = spawnSync("du", ["--apparent-size", "-scbL", ...files], { encoding: "utf8" });
  return Number(/^(\d+)\ttotal$/m.exec(stdout)?.[1]);
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
  const [largest = pid, ...others] = [...processTree(pid)].sort((a, b) => residentMemory(b) - residentMemory(a));
  return residentMemory(largest) + others.reduce((sum, other) => sum + privateMemory(other), 0);
}

function loadOnce(url: string): number {
  const words = ["-c", String(loadCpu), "wrk", "-t1", "-c1", `-d${seconds}s`, url];
  const { stdout } = spawnSync("taskset", words, { encoding: "utf8" });
  const [, requests] = /^ +(\d+) requests in /m.exec(stdout) ?? [];
  if (requests === undefined || /Non-2xx/.test(stdout)) throw new Error(`${url} did not answer: ${stdout}`);
  return Number(requests);
}

function timeOfGet({ pid, url }: Running): number {
  const before = treeTime(pid);
  const requests = loadOnce(url);
  return (treeTime(pid) - before) / requests;
}

/**
 * Compares a GET of two programs in turns that alternate, so that other work on the machine disturbs both.
 * @returns the median of the ratios.
 */
function ratioOfGet(one: Running, other: Running): number {
  loadOnce(one.url);
  const ratios = Array.from({ length: turns }, () => timeOfGet(one) / timeOfGet(other));
  return ratios.sort((a, b) => a - b)[Math.floor(turns / 2)] ?? 0;
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

/** Starts a program, and waits until it answers. */
async function serving(peer: Peer, port: number, folder: string): Promise<{ readonly child: ChildProcess } & Running> {
  const child = start(peer.command(port, folder), folder);
  const url = `http://127.0.0.1:${port}${peer.path ?? ""}`;
  for (let tries = 0; peer.path !== undefined && !(await answers(url)); tries++) {
    if (tries > 200 || child.exitCode !== null) throw new Error(`${peer.title} does not answer at ${url}`);
    await delay(200);
  }
  return { child, pid: child.pid ?? 0, url };
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(bytes < 100_000_000 ? 2 : 0);

/** @returns the table of the programs that people use instead, from which README has its figures. */
export async function measurePeers(scratch: string): Promise<string> {
  const { rows, get } = await comparePeers(installPeers(), scratch);
  const cells = rows.map(({ peer, size, memory, ratio }) => {
    const time =
      ratio === undefined ? "no HTTP" : `${((ratio * get) / 1_000).toFixed(1)}, ${ratio.toFixed(2)} × nound's`;
    return [`${peer.title} ${peer.version}`, megabytes(size), megabytes(memory), time, peer.how];
  });
  const head = ["program", "all its files, MB", "idle memory, MB", "GET, µs of processor time", "measured with"];
  return markdownTable(head, cells);
}

/**
 * Measures the programs, each beside the first one.
 * @param scratch a folder in which each gets one of its own.
 * @returns the figures, and ns of processor time of the first one's GET: the least of its turns.
 */
async function comparePeers(
  peers: readonly [Peer, ...Peer[]],
  scratch: string,
): Promise<{ readonly rows: readonly PeerFigures[]; readonly get: number }> {
  const folder = () => mkdtempSync(join(scratch, "peer-"));
  const reference = await serving(peers[0], await freePort(), folder());
  const rows: PeerFigures[] = [];
  for (const peer of peers) {
    const port = await freePort();
    const broker = peer.path === undefined ? start(["mosquitto", "-p", String(port)], scratch) : undefined;
    const running = await serving(peer, port, folder());
    // What a start leaves to do is done by then.
    await delay(15_000);
    const memory = memoryOf(running.pid);
    const ratio = peer.path === undefined ? undefined : ratioOfGet(running, reference);
    rows.push({ peer, size: sizeOf(peer.files), memory, ratio });
    running.child.kill("SIGTERM");
    broker?.kill("SIGTERM");
  }
  const get = Math.min(...Array.from({ length: turns }, () => timeOfGet(reference)));
  reference.child.kill("SIGTERM");
  return { rows, get };
}
