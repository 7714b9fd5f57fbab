/** The measurement itself: which server does what, in which order. */

import { statSync } from "node:fs";
import { openIdle } from "./client.ts";
import { countInstructions } from "./instructions.ts";
import { machineState } from "./machine.ts";
import { requestText } from "./request-text.ts";
import type { Memory, Results, Run, ServerName, ServerResult, StreamsResult, WorkloadResult } from "./results.ts";
import { RunningServer } from "./running-server.ts";
import { findServers, type Server } from "./servers.ts";
import { engineTime, startTime } from "./start-time.ts";
import { measureStreams } from "./streams.ts";
import { findProgram } from "./tools.ts";
import { crowded, type Setting, usual, type Workload, workloads } from "./workloads.ts";

/** How much is measured. */
export interface Extent {
  readonly rounds: number;
  /** Seconds of a run of the load generator. */
  readonly runSeconds: number;
  readonly starts: number;
  /** Requests counted under valgrind. */
  readonly counted: number;
  /** Requests after which nound's memory is looked at. */
  readonly requests: number;
}

/** The whole benchmark, about twelve minutes. */
export const full: Extent = { rounds: 5, runSeconds: 1, starts: 11, counted: 2_000, requests: 1_000_000 };
/** For trying the benchmark itself. */
export const quick: Extent = { rounds: 1, runSeconds: 1, starts: 3, counted: 500, requests: 200_000 };

/** ms of starts, one of each in every round. */
interface Starts {
  readonly servers: ReadonlyMap<ServerName, readonly number[]>;
  readonly engine: readonly number[];
}

/** All processes of a measurement. */
class Measurement {
  private readonly running = new Map<string, RunningServer>();
  private readonly idleMemory = new Map<ServerName, number>();
  private readonly crowdedMemory = new Map<ServerName, number>();
  readonly servers: readonly Server[];
  private readonly extent: Extent;
  private readonly scratch: string;
  private readonly progress: (step: string) => void;

  constructor(servers: readonly Server[], extent: Extent, scratch: string, progress: (step: string) => void) {
    this.servers = servers;
    this.extent = extent;
    this.scratch = scratch;
    this.progress = progress;
  }

  /** The process of a server in a setting, started at its first use. */
  async process(server: Server, setting: Setting): Promise<RunningServer> {
    const key = `${server.name} ${setting.name}`;
    const known = this.running.get(key);
    if (known !== undefined) {
      return known;
    }
    this.progress(`${server.title} starts`);
    const started = await RunningServer.start(server, setting, this.scratch);
    this.running.set(key, started);
    if (setting === usual) {
      this.idleMemory.set(server.name, started.residentMemory());
    }
    if (setting === crowded) {
      // They end with this program.
      await openIdle(started.port, setting.idleConnections, requestText({}));
      this.crowdedMemory.set(server.name, started.residentMemory());
    }
    return started;
  }

  /** All workloads, in rounds: what one server gains by a quiet moment, the next one has, too. */
  async allWorkloads(): Promise<readonly WorkloadResult[]> {
    const results = workloads.map(({ name, title }) => ({
      name,
      title,
      runs: {} as { [server in ServerName]?: Run[] },
    }));
    for (let round = 1; round <= this.extent.rounds; round++) {
      for (const [index, workload] of workloads.entries()) {
        await this.oneWorkload(workload, results[index]?.runs ?? {}, round);
      }
    }
    return results;
  }

  /** The starts of all servers, in rounds, and in each the engine's with an empty script. */
  async allStarts(): Promise<Starts> {
    const engine: number[] = [];
    const times = new Map<ServerName, number[]>(this.servers.map(({ name }) => [name, []]));
    for (let round = 1; round <= this.extent.starts; round++) {
      for (const server of this.servers) {
        this.progress(`start ${round} of ${this.extent.starts}: ${server.title}`);
        times.get(server.name)?.push(await startTime(server, this.scratch));
      }
      engine.push(await engineTime());
    }
    return { servers: times, engine };
  }

  /** Memory of a server, and for nound after as many requests as promised. */
  async memory(server: Server): Promise<Memory> {
    const loaded = await this.process(server, usual);
    const get = workloads.find(({ name }) => name === "get");
    while (server.name === "nound" && get !== undefined && loaded.requests < this.extent.requests) {
      this.progress(`${server.title}: ${loaded.requests} of ${this.extent.requests} requests`);
      await loaded.load(get, 2);
    }
    await this.process(server, crowded);
    return {
      idle: this.idleMemory.get(server.name) ?? Number.NaN,
      afterLoad: loaded.residentMemory(),
      requests: loaded.requests,
      idleConnections: this.crowdedMemory.get(server.name) ?? Number.NaN,
    };
  }

  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map((server) => server.stop()));
  }

  private async oneWorkload(
    workload: Workload,
    runs: { [server in ServerName]?: Run[] },
    round: number,
  ): Promise<void> {
    for (const server of this.servers.filter(({ name }) => workload.servers.includes(name))) {
      const running = await this.process(server, workload.setting);
      this.progress(`round ${round} of ${this.extent.rounds}: ${workload.title}, ${server.title}`);
      const made = runs[server.name] ?? [];
      made.push(await running.load(workload, this.extent.runSeconds));
      runs[server.name] = made;
    }
  }
}

async function serverResults(measurement: Measurement, starts: Starts): Promise<readonly ServerResult[]> {
  const results: ServerResult[] = [];
  for (const server of measurement.servers) {
    results.push({
      name: server.name,
      title: server.title,
      version: server.version,
      size: statSync(server.program).size,
      startMilliseconds: starts.servers.get(server.name) ?? [],
      memory: await measurement.memory(server),
    });
  }
  return results;
}

/**
 * Measures everything.
 * @param scratch an empty folder.
 * @param progress is told what is measured now.
 */
export async function measure(extent: Extent, scratch: string, progress: (step: string) => void): Promise<Results> {
  const machine = machineState();
  const { servers, skipped } = findServers(scratch);
  const nound = servers.find(({ name }) => name === "nound");
  const canCount = findProgram("valgrind") !== undefined;
  const measurement = new Measurement(servers, extent, scratch, progress);
  try {
    const workloadResults = await measurement.allWorkloads();
    const starts = await measurement.allStarts();
    const results = await serverResults(measurement, starts);
    await measurement.stop();
    const streams: StreamsResult[] = [];
    for (const server of servers.filter(({ name }) => name === "nound" || name === "node")) {
      streams.push(await measureStreams(server, extent, scratch, progress));
    }
    return {
      machine,
      rounds: extent.rounds,
      skipped: [...skipped, ...(canCount ? [] : ["valgrind is not installed; on Debian: apt-get install valgrind"])],
      servers: results,
      engineMilliseconds: starts.engine,
      workloads: workloadResults,
      streams,
      instructions:
        nound !== undefined && canCount ? await countInstructions(nound, extent.counted, scratch, progress) : [],
    };
  } finally {
    await measurement.stop();
  }
}
