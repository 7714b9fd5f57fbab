/** What the benchmark prints, and writes into docs/dev/performance.md: the results as tables. */
import { type Judgement, judgements } from "./judgement.ts";
import type {
  InstructionCount,
  Latency,
  Results,
  Run,
  ServerName,
  ServerResult,
  StreamsResult,
  WorkloadResult,
} from "./results.ts";
import { median } from "./statistics.ts";
import { markdownTable } from "./table.ts";
import { turnMilliseconds } from "./turns.ts";

const none = "–";

function workloadTable<Value>(
  results: Results,
  valuesOf: (workload: WorkloadResult) => { readonly [server in ServerName]?: readonly Value[] },
  cell: (values: readonly Value[]) => string,
): string {
  const row = (workload: WorkloadResult) => [
    workload.title,
    ...results.servers.map(({ name }) => {
      const values = valuesOf(workload)[name] ?? [];
      return values.length === 0 ? none : cell(values);
    }),
  ];
  return markdownTable(["", ...results.servers.map(({ title }) => title)], results.workloads.map(row));
}

function medianOf(runs: readonly Run[], figure: "cpuMicroseconds" | "requestsPerSecond"): number {
  return median(runs.map((run) => run[figure]));
}

function latencyOf(latencies: readonly Latency[]): string {
  const medians = (["p50", "p99"] as const).map((figure) => median(latencies.map((latency) => latency[figure])));
  return medians.map((value) => value.toFixed(2)).join(" / ");
}

/** Bytes in MB, to the hundredth where it matters. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 10e6 ? 2 : 1);
}

function serverTable(results: Results): string {
  const row = ({ title, version, size, startMilliseconds, memory }: ServerResult) => [
    `${title} (${version})`,
    megabytes(size),
    median(startMilliseconds).toFixed(2),
    megabytes(memory.idle),
    `${megabytes(memory.afterLoad)} (${(memory.requests / 1e6).toFixed(2)} M)`,
    megabytes(memory.idleConnections),
  ];
  return markdownTable(
    ["", "program, MB", "first answer, ms", "idle, MB", "after load, MB (requests)", "1,000 idle connections, MB"],
    results.servers.map(row),
  );
}

function streamsTable({ streams }: Results): string {
  const row = ({ title, bytesEach, changeMicroseconds, alone, beside }: StreamsResult) => [
    title,
    (bytesEach / 1_024).toFixed(2),
    (median(changeMicroseconds) / 1_000).toFixed(2),
    medianOf(alone, "cpuMicroseconds").toFixed(1),
    medianOf(beside, "cpuMicroseconds").toFixed(1),
  ];
  const head = ["", "idle, KB each", "a change to all, ms of CPU", "GET beside none, µs", "GET beside them, µs"];
  return markdownTable(head, streams.map(row));
}

function verdict({ held }: Judgement): string {
  return held === undefined ? "not judged" : held ? "held" : "NOT HELD";
}

function judgementTable(results: Results): string {
  const rows = judgements(results).map((judgement) => [judgement.line, judgement.measured, verdict(judgement)]);
  return markdownTable(["must show", "measured", "verdict"], rows);
}

/** The runs in which a request failed: their figures are not to be trusted. */
export function failedRuns(results: Results): readonly string[] {
  return results.workloads.flatMap(({ title, runs }) =>
    (Object.entries(runs) as [ServerName, readonly Run[]][])
      .map(([server, made]) => ({ server, errors: made.reduce((sum, run) => sum + run.errors, 0) }))
      .filter(({ errors }) => errors > 0)
      .map(({ server, errors }) => `${title}, ${server}: ${errors} requests failed`),
  );
}

/** A load average from which on others have the processors for a good part of the time. */
const busyLoad = 1;

const busyRemark = "\nThe machine had other work to do. So times are longer: compare only ratios and instructions.\n";

/** Instructions for a request, in Markdown. */
export function instructionTable(counts: readonly InstructionCount[]): string {
  const rows = counts.map(({ title, perRequest }) => [title, Math.round(perRequest).toLocaleString("en")]);
  return markdownTable(["", "instructions"], rows);
}

/** @returns the results in Markdown. */
export function report(results: Results): string {
  const { machine, rounds } = results;
  const runsOf = ({ runs }: WorkloadResult) => runs;
  const remarks = [...results.skipped, ...failedRuns(results)].map((remark) => `- ${remark}\n`).join("");
  const figures = rounds === 1 ? "One round" : `Medians of ${rounds} rounds`;
  return `Measured on ${machine.date}: ${machine.processor}, ${machine.processors} processors, Linux ${machine.kernel}.
Load average ${machine.loadBefore} before the start. ${figures}, in each of which the servers of a row took turns
of ${turnMilliseconds / 1_000} s; 16 connections unless a line says otherwise.
${machine.loadBefore < busyLoad ? "" : busyRemark}${remarks === "" ? "" : `\n${remarks}`}
Processor time of the server for a request, in µs:

${workloadTable(results, runsOf, (runs) => medianOf(runs, "cpuMicroseconds").toFixed(1))}
Requests per second:

${workloadTable(results, runsOf, (runs) => Math.round(medianOf(runs, "requestsPerSecond")).toLocaleString("en"))}
Latency in ms, half of the requests / 99 % of them:

${workloadTable(results, ({ latencies }) => latencies, latencyOf)}
The processes:

${serverTable(results)}
1,000 streams of events:

${streamsTable(results)}
Instructions of nound for a request, the kernel's apart:

${instructionTable(results.instructions)}
${judgementTable(results)}`;
}
