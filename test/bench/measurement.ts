/**
 * Requests and processes of the servers. The processors of a virtual machine change their speed: figures can be
 * compared only if all of them met the same mixture. So each server of a row has a load for a turn, then the next one,
 * in each of several rounds.
 */
import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { openIdle } from "./client.ts";
import { LoadGenerator } from "./load-generator.ts";
import { requestText } from "./request-text.ts";
import { loadCpu, RunningServer } from "./running-server.ts";
import type { Server } from "./servers.ts";
import { median, medianRatio } from "./statistics.ts";
import { markdownTable } from "./table.ts";
import { bareGet, crowded, type Setting, timedWorkloads, usual, type Workload } from "./workloads.ts";

/** In each round, each server of a row has a turn. */
const rounds = 3;
const starts = 11;
/** Requests after which the memory of nound is looked at. */
const manyRequests = 1_000_000;

/**
 * ms of a turn. Node compiles what runs for a while: in turns of 50 ms its code is never warm, and a GET costs it four
 * times as much.
 */
export const turnMilliseconds = 1_000;
/** ms after a turn, in which a server answers the requests that it still has. */
const pauseMilliseconds = 20;

export type Progress = (step: string) => void;

/** Loads a server for a turn. @returns µs of its processor time for a request, and the number of requests. */
export async function takeTurn(
  server: RunningServer,
  workload: Workload,
): Promise<{ readonly cost: number; readonly requests: number }> {
  const before = server.processorTime();
  const generator = await LoadGenerator.start(workload, server.port, loadCpu, server.file(`${workload.name}.lua`));
  try {
    await delay(turnMilliseconds);
    const { requests, errors } = await generator.finish();
    if (errors > 0 || requests === 0) throw new Error(`${workload.title}: ${requests} requests, ${errors} errors`);
    await delay(pauseMilliseconds);
    return { cost: (server.processorTime() - before) / 1_000 / requests, requests };
  } finally {
    generator.kill();
  }
}

/** Runs something with servers, which end after it. */
export async function withServers<Result>(
  act: (start: (server: Server, setting: Setting) => Promise<RunningServer>) => Promise<Result>,
  scratch: string,
): Promise<Result> {
  const started: RunningServer[] = [];
  try {
    return await act(async (server, setting) => {
      const running = await RunningServer.start(server, setting, scratch);
      started.push(running);
      return running;
    });
  } finally {
    await Promise.all(started.map((server) => server.stop()));
  }
}

/** @returns the table of all timed workloads: µs for each server, and nound's ratio to it. */
export function measureRequests(servers: readonly Server[], scratch: string, progress: Progress): Promise<string> {
  return withServers(async (start) => {
    // A process serves all workloads of a setting: Node is warm after the first.
    const known = new Map<string, RunningServer>();
    const runningFor = async (server: Server, { setting }: Workload): Promise<RunningServer> => {
      const key = `${server.name} ${setting.name}`;
      const running = known.get(key) ?? (await start(server, setting));
      known.set(key, running);
      return running;
    };
    const rows: (readonly string[])[] = [];
    for (const workload of timedWorkloads) {
      const racing = servers.filter(({ name }) => workload.servers.includes(name));
      const costs = racing.map((): number[] => []);
      for (let round = 1; round <= rounds; round++) {
        progress(`${workload.title}, round ${round} of ${rounds}`);
        const order = racing.map((_, at) => (round % 2 === 0 ? racing.length - 1 - at : at));
        for (const at of order) {
          const running = await runningFor(racing[at] as Server, workload);
          costs[at]?.push((await takeTurn(running, workload)).cost);
        }
      }
      const own = costs[racing.findIndex(({ name }) => name === "nound")] ?? [];
      const cells = servers.map((server) => {
        const other = costs[racing.indexOf(server)];
        if (other === undefined) return "–";
        const ratio = other === own ? "" : ` (${medianRatio(own, other).toFixed(2)} ×)`;
        return median(other).toFixed(1) + ratio;
      });
      rows.push([workload.title, ...cells]);
    }
    return markdownTable(["", ...servers.map(({ title }) => title)], rows);
  }, scratch);
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 10e6 ? 2 : 1);

/** @returns ms from the start of a server to its first answer. The client looks without a pause. */
async function startTime(server: Server, scratch: string): Promise<number> {
  const since = performance.now();
  const running = await RunningServer.start(server, usual, scratch);
  const time = performance.now() - since;
  await running.stop();
  return time;
}

/** @returns the table of sizes, starts and memory. */
export async function measureProcesses(
  servers: readonly Server[],
  scratch: string,
  progress: Progress,
): Promise<string> {
  const rows: (readonly string[])[] = [];
  for (const server of servers) {
    progress(server.title);
    const times: number[] = [];
    for (let count = 0; count < starts; count++) times.push(await startTime(server, scratch));
    const memory = await withServers(async (start) => {
      const alone = await start(server, usual);
      const idle = alone.residentMemory();
      let requests = 0;
      const wanted = server.name === "nound" ? manyRequests : 1;
      while (requests < wanted) requests += (await takeTurn(alone, bareGet)).requests;
      const beside = await start(server, crowded);
      await openIdle(beside.port, crowded.idleConnections, requestText({}));
      return [idle, alone.residentMemory(), beside.residentMemory()];
    }, scratch);
    const version = `${server.title} (${server.version})`;
    rows.push([version, megabytes(statSync(server.program).size), median(times).toFixed(1), ...memory.map(megabytes)]);
  }
  const head = ["program, MB", "first answer, ms", "idle, MB", "after load, MB", "1,000 idle connections, MB"];
  return markdownTable(["", ...head], rows);
}
