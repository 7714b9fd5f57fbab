/** Loads on servers, in turns: what a request costs, and how long it takes. */
import { setTimeout as delay } from "node:timers/promises";
import { LoadGenerator } from "./load-generator.ts";
import type { Latency, Run } from "./results.ts";
import { loadCpu, type RunningServer } from "./running-server.ts";
import { ProcessorBill, pauseMilliseconds, turnMilliseconds } from "./turns.ts";
import type { Workload } from "./workloads.ts";
import type { Load } from "./wrk.ts";

/** A load on a server, which may have others. */
export interface ServerLoad {
  readonly server: RunningServer;
  readonly workload: Workload;
}

/** A run, and how long its requests took; undefined if that is not known. */
export type TimedRun = Run & { readonly latency: Latency | undefined };

async function takeTurn({ server, workload }: ServerLoad): Promise<Load> {
  const generator = await LoadGenerator.start(workload, server.port, loadCpu, server.file(`${workload.name}.lua`));
  try {
    await delay(turnMilliseconds);
    return await generator.finish();
  } finally {
    generator.kill();
    await delay(pauseMilliseconds);
  }
}

/**
 * Puts loads on servers, one after the other.
 * @param order the loads' indices, each once.
 * @returns what was measured of each.
 * @throws Error when a load could not be put on its server.
 */
export async function loadInTurns(
  loads: readonly ServerLoad[],
  order: readonly number[] = loads.map((_, index) => index),
): Promise<readonly TimedRun[]> {
  const bill = new ProcessorBill();
  const finished = new Map<number, Load>();
  for (const index of order) {
    const load = loads[index] as ServerLoad;
    bill.begin(index, load.server.pid, load.server.processorTime());
    finished.set(index, await takeTurn(load));
  }
  for (const { server } of loads) bill.end(server.pid, server.processorTime());
  return loads.map(({ server }, index) => {
    const { requests, seconds, latency, errors } = finished.get(index) as Load;
    server.countRequests(requests);
    const cpuMicroseconds = bill.used(index) / 1_000 / requests;
    return { requests, requestsPerSecond: requests / seconds, cpuMicroseconds, errors, latency };
  });
}
