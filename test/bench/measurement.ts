/** The measurement itself: which server does what, in which order. */

import { statSync } from "node:fs";
import { openIdle } from "./client.ts";
import { countInstructions } from "./instructions.ts";
import { compared } from "./judgement.ts";
import { loadInTurns, type ServerLoad, type TimedRun } from "./loads.ts";
import { machineState } from "./machine.ts";
import { requestText } from "./request-text.ts";
import type { Latency, Memory, Results, Run, ServerName, ServerResult, WorkloadResult } from "./results.ts";
import { loadCpu, RunningServer } from "./running-server.ts";
import { findServers, type Server } from "./servers.ts";
import { engineTime, startTime } from "./start-time.ts";
import { measureStreams } from "./streams.ts";
import { findProgram, pinThisProgram } from "./tools.ts";
import { heats } from "./turns.ts";
import { bareGet, crowded, type Setting, usual, type Workload, workloads } from "./workloads.ts";

/** How much is measured. */
export interface Extent {
  /** In each round, each load has a turn. */
  readonly rounds: number;
  readonly starts: number;
  /** Requests counted under valgrind. */
  readonly counted: number;
  /** Requests after which nound's memory is looked at. */
  readonly requests: number;
}

/** The whole benchmark, about a quarter of an hour. */
export const full: Extent = {
  rounds: 5,
  starts: 21,
  counted: 2_000,
  requests: 1_000_000,
};
/** For trying the benchmark itself, about four minutes. */
export const quick: Extent = { ...full, rounds: 1, starts: 5, counted: 500, requests: 200_000 };

/** ms of starts, one of each in every round. */
interface Starts {
  readonly servers: ReadonlyMap<ServerName, readonly number[]>;
  readonly engine: readonly number[];
}

/** The results of a workload, as they come. */
interface Collected extends WorkloadResult {
  readonly runs: { [server in ServerName]?: Run[] };
  readonly latencies: { [server in ServerName]?: Latency[] };
}

/** A load, and where its results go. */
interface CollectedLoad extends ServerLoad {
  readonly name: ServerName;
  readonly into: Collected;
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

  /** All workloads, in rounds. */
  async allWorkloads(): Promise<readonly WorkloadResult[]> {
    const measured = workloads.filter(({ servers }) => servers.length > 0);
    const results: Collected[] = measured.map(({ name, title }) => ({ name, title, runs: {}, latencies: {} }));
    for (let round = 1; round <= this.extent.rounds; round++) {
      for (const heat of heats(measured, compared)) {
        const titles = heat.map(({ title }) => title).join(" and ");
        this.progress(`round ${round} of ${this.extent.rounds}: ${titles}`);
        await this.oneHeat(await this.loadsOf(heat, results), round);
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
    while (server.name === "nound" && loaded.requests < this.extent.requests) {
      this.progress(`${server.title}: ${loaded.requests} of ${this.extent.requests} requests`);
      await loadInTurns([{ server: loaded, workload: bareGet }]);
    }
    await this.process(server, crowded);
    return {
      idle: this.idleMemory.get(server.name) ?? Number.NaN,
      afterLoad: loaded.residentMemory(),
      requests: loaded.requests,
      afterMillion: loaded.afterMillion,
      idleConnections: this.crowdedMemory.get(server.name) ?? Number.NaN,
    };
  }

  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map((server) => server.stop()));
  }

  private async loadsOf(heat: readonly Workload[], results: readonly Collected[]): Promise<readonly CollectedLoad[]> {
    const loads: CollectedLoad[] = [];
    for (const workload of heat) {
      const into = results.find(({ name }) => name === workload.name);
      for (const server of this.servers.filter(({ name }) => workload.servers.includes(name))) {
        if (into === undefined) continue;
        loads.push({ name: server.name, server: await this.process(server, workload.setting), workload, into });
      }
    }
    return loads;
  }

  private async oneHeat(loads: readonly CollectedLoad[], round: number): Promise<void> {
    const around = loads.map((_, index) => index);
    const runs = await loadInTurns(loads, round % 2 === 0 ? around.toReversed() : around);
    for (const [index, { name, into }] of loads.entries()) {
      const { latency, ...run } = runs[index] as TimedRun;
      into.runs[name] = [...(into.runs[name] ?? []), run];
      into.latencies[name] = [...(into.latencies[name] ?? []), ...(latency === undefined ? [] : [latency])];
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
  // Else it would disturb the servers when its timers fire.
  pinThisProgram(loadCpu);
  const { servers, skipped } = findServers(scratch);
  const nound = servers.find(({ name }) => name === "nound");
  const canCount = findProgram("valgrind") !== undefined;
  const measurement = new Measurement(servers, extent, scratch, progress);
  try {
    const workloadResults = await measurement.allWorkloads();
    const starts = await measurement.allStarts();
    const results = await serverResults(measurement, starts);
    await measurement.stop();
    const streaming = servers.filter(({ name }) => name === "nound" || name === "floor" || name === "node");
    const streams = await measureStreams(streaming, extent, scratch, progress);
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
