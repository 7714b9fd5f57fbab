/** What of the results is drawn. */
import type { Bar, Chart } from "./plot.ts";
import { megabytes } from "./report.ts";
import type { Results, ServerResult } from "./results.ts";
import { median } from "./statistics.ts";

const less = "less is better";

function bars(
  results: Results,
  value: (server: ServerResult) => number | undefined,
  text: (value: number) => string,
): readonly Bar[] {
  return results.servers.flatMap((server) => {
    const found = value(server);
    return found === undefined
      ? []
      : [{ label: server.title, value: found, text: text(found), highlighted: server.name === "nound" }];
  });
}

function cpuBars(results: Results, workload: string): readonly Bar[] {
  const runs = results.workloads.find(({ name }) => name === workload)?.runs;
  return bars(
    results,
    ({ name }) => {
      const made = runs?.[name];
      return made === undefined ? undefined : median(made.map((run) => run.cpuMicroseconds));
    },
    (value) => value.toFixed(value < 100 ? 1 : 0),
  );
}

/** @returns the charts of docs/dev/performance.svg. */
export function chartsOf(results: Results): readonly Chart[] {
  return [
    { title: "GET: processor time, µs", remark: less, bars: cpuBars(results, "get") },
    { title: "PUT: processor time, µs", remark: less, bars: cpuBars(results, "put") },
    { title: "GET, a connection each: processor time, µs", remark: less, bars: cpuBars(results, "close") },
    { title: "GET by a browser, one field new: µs", remark: less, bars: cpuBars(results, "browser-new") },
    { title: "GET by a browser, every field new: µs", remark: less, bars: cpuBars(results, "browser-all-new") },
    { title: "GET, 1,000 nouns in turn: µs", remark: less, bars: cpuBars(results, "nouns-each") },
    { title: "PUT of 4 KB, never the same: µs", remark: less, bars: cpuBars(results, "put-ascii") },
    {
      title: "Resident memory with 1,000 idle connections, MB",
      remark: less,
      bars: bars(results, ({ memory }) => memory.idleConnections, megabytes),
    },
    {
      title: "From exec to the first answer, ms",
      remark: less,
      bars: bars(
        results,
        ({ startMilliseconds }) => median(startMilliseconds),
        (value) => value.toFixed(1),
      ),
    },
  ];
}
