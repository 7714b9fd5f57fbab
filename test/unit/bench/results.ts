/** Results of a benchmark that was never run, with figures that are easy to reckon with. */
import type { Results, Run, ServerName, ServerResult, StreamsResult, WorkloadResult } from "../../bench/results.ts";

/** Runs with these processor times, in µs, a server being busy all the time. */
export function runs(...cpuMicroseconds: readonly number[]): readonly Run[] {
  return cpuMicroseconds.map((cpu) => ({
    requests: 1e6 / cpu,
    requestsPerSecond: 1e6 / cpu,
    cpuMicroseconds: cpu,
    errors: 0,
  }));
}

function server(name: ServerName, startMilliseconds: number, megabytes: number): ServerResult {
  const bytes = megabytes * 1e6;
  return {
    name,
    title: name,
    version: "1.0",
    size: bytes,
    startMilliseconds: [startMilliseconds],
    memory: {
      idle: bytes,
      afterLoad: bytes,
      requests: 9_000_000,
      afterMillion: { bytes: 0.9 * bytes, requests: 1_000_000 },
      idleConnections: 2 * bytes,
    },
  };
}

function workload(name: string, nound: number, nginx: number, node: number): WorkloadResult {
  return {
    name,
    title: name,
    runs: { nound: runs(nound, nound, nound), nginx: runs(nginx, nginx, nginx), node: runs(node, node, node) },
    latencies: {},
  };
}

function streams(name: ServerName, bytesEach: number, change: number): StreamsResult {
  const three = runs(10, 10, 10);
  return {
    server: name,
    title: name,
    count: 1_000,
    bytesEach,
    changeMicroseconds: [change],
    alone: three,
    beside: three,
  };
}

/** Results with which every line holds. */
export const good: Results = {
  machine: { date: "2026-01-02", processor: "a processor", processors: 2, kernel: "6.0", loadBefore: 0.1 },
  rounds: 3,
  skipped: [],
  servers: [server("nound", 3, 1.5), server("floor", 2, 0.1), server("node", 100, 50)],
  engineMilliseconds: [1],
  workloads: [
    {
      name: "get",
      title: "GET",
      runs: {
        nound: runs(8, 9, 10),
        floor: runs(8, 8, 8),
        microhttpd: runs(8, 8, 8),
        nginx: runs(8, 8, 8),
        node: runs(20, 20, 20),
      },
      latencies: { node: [0.3, 0.2, 0.1].map((p50) => ({ p50, p99: 10 * p50 })) },
    },
    workload("put", 10, 8, 40),
    workload("put-chunked", 24, 8, 40),
    workload("nouns-10", 10, 8, 20),
    workload("all-10", 29, 8, 20),
    workload("post", 10, 8, 40),
    { ...workload("close", 30, 25, 100), runs: { nound: runs(30, 30, 30), floor: runs(22, 22, 22) } },
    workload("browser", 10, 9, 30),
    workload("browser-new", 30, 9, 30),
    workload("browser-all-new", 40, 9, 30),
    ...["get-level", "get-pump", "get-button"].map((name) => workload(name, 10, 8, 20)),
    ...["get-meter", "get-lamp", "get-fan", "get-battery"].map((name) => workload(name, 17, 8, 20)),
    workload("put-pin", 13, 8, 20),
    workload("put-new", 19, 8, 20),
    workload("put-ascii", 50, 8, 60),
    workload("put-wide", 140, 8, 60),
    workload("put-escapes", 140, 8, 60),
    workload("put-chunks", 140, 8, 60),
    workload("nouns-each", 21, 8, 20),
  ],
  streams: [streams("nound", 2_000, 3_000), streams("floor", 100, 2_500)],
  instructions: [
    { name: "get", title: "GET", perRequest: 10_000 },
    { name: "nouns-1000", title: "GET, 1,000 nouns", perRequest: 10_400 },
    { name: "idle-1000", title: "GET beside 1,000 idle connections", perRequest: 10_000 },
    ...Object.entries({
      ...{ put: 12_000, post: 13_000, "put-pin": 16_000, "put-new": 43_000 },
      ...{ "get-meter": 12_500, "get-lamp": 17_000, "get-fan": 22_000, "get-battery": 27_000 },
      ...{ "get-unguarded": 10_000, "get-guarded": 10_010, "put-unguarded": 12_000, "put-guarded": 12_010 },
      ...{ "put-on-off-unguarded": 15_000, "put-on-off-guarded": 19_000 },
      ...{ "nouns-each": 48_000, "browser-new": 25_000, "browser-all-new": 86_000 },
    }).map(([name, perRequest]) => ({ name, title: name, perRequest })),
  ],
};

/** The same results, but with other runs of a server in a workload. */
export function withRuns(
  results: Results,
  name: string,
  server: ServerName,
  made: readonly Run[] | undefined,
): Results {
  const workloads = results.workloads.map((result) => {
    if (result.name !== name) return result;
    const others = Object.fromEntries(Object.entries(result.runs).filter(([key]) => key !== server));
    return { ...result, runs: made === undefined ? others : { ...others, [server]: made } };
  });
  return { ...results, workloads };
}
