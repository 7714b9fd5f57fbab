/** Loads on servers: several in turns, for what a request costs, and one alone, for how long it takes. */
import { setTimeout as delay } from "node:timers/promises";
import { type FinishedLoad, LoadGenerator } from "./load-generator.ts";
import type { Latency, Run } from "./results.ts";
import { loadCpu, type RunningServer } from "./running-server.ts";
import { ProcessorBill, pauseMilliseconds, type Turn, turnMilliseconds, turnPlan } from "./turns.ts";
import type { Workload } from "./workloads.ts";

/** A load on a server, which may have others. */
export interface ServerLoad {
  readonly server: RunningServer;
  readonly workload: Workload;
}

async function startGenerator({ server, workload }: ServerLoad): Promise<LoadGenerator> {
  return await LoadGenerator.start(workload, server.port, loadCpu, server.file(`${workload.name}.lua`));
}

/** A load that others take turns with. */
class AlternatingLoad {
  readonly server: RunningServer;
  private readonly generator: LoadGenerator;
  private finished: FinishedLoad | undefined;

  private constructor(server: RunningServer, generator: LoadGenerator) {
    this.server = server;
    this.generator = generator;
  }

  /** Its first turn begins. */
  static async start(load: ServerLoad): Promise<AlternatingLoad> {
    return new AlternatingLoad(load.server, await startGenerator(load));
  }

  async takeTurn({ first, last }: Turn): Promise<void> {
    if (!first) this.generator.resume();
    await delay(turnMilliseconds);
    if (last) {
      this.finished = await this.generator.finish();
    } else {
      this.generator.pause();
    }
    await delay(pauseMilliseconds);
  }

  /** @param nanoseconds the processor time that it has cost its server. */
  result(nanoseconds: number): Run {
    if (this.finished === undefined) throw new Error("The load has turns left.");
    const { requests, requestsPerSecond, errors } = this.finished;
    this.server.countRequests(requests);
    return { requests, requestsPerSecond, cpuMicroseconds: nanoseconds / 1_000 / requests, errors };
  }

  kill(): void {
    this.generator.kill();
  }
}

/**
 * Puts loads on servers, in turns.
 * @param milliseconds how long each load runs, all its turns together; and at most 100 ms more, as wrk ends no sooner.
 * @returns what was measured of each.
 * @throws Error when a load could not be put on its server.
 */
export async function loadInTurns(loads: readonly ServerLoad[], milliseconds: number): Promise<readonly Run[]> {
  const bill = new ProcessorBill();
  const started: AlternatingLoad[] = [];
  try {
    for (const turn of turnPlan(loads.length, Math.ceil(milliseconds / turnMilliseconds))) {
      const load = loads[turn.load];
      if (load === undefined) continue;
      bill.begin(turn.load, load.server.pid, load.server.processorTime());
      started[turn.load] ??= await AlternatingLoad.start(load);
      await started[turn.load]?.takeTurn(turn);
    }
    for (const { server } of loads) bill.end(server.pid, server.processorTime());
  } finally {
    for (const load of started) load.kill();
  }
  return started.map((load, index) => load.result(bill.used(index)));
}

/**
 * Puts a load on a server without a pause.
 * @returns how long requests took; undefined if that is not known.
 */
export async function measureLatency(load: ServerLoad, milliseconds: number): Promise<Latency | undefined> {
  const generator = await startGenerator(load);
  try {
    await delay(milliseconds);
    const { requests, latency } = await generator.finish();
    load.server.countRequests(requests);
    return latency;
  } finally {
    generator.kill();
  }
}
