/** The load generator, wrk: the script it is given and what it says. */
import { serialDigits, serialMark } from "./request-text.ts";
import type { Latency } from "./results.ts";
import type { Workload } from "./workloads.ts";

/** What a run of wrk says. */
export interface Load {
  readonly requests: number;
  /** From its first request to its end. */
  readonly seconds: number;
  /**
   * undefined for pipelined requests, whose latency wrk does not know, and for none.
   */
  readonly latency: Latency | undefined;
  readonly errors: number;
}

// Says when the load is about to begin. And the figures as wrk has them, rather than those that it rounds for its own
// report. Of pipelined requests wrk takes the time of all that were sent at once, and corrects it as if it were that of
// one: a percentile then is anything, or 0.
const report = `
init = function()
  print("ready")
  io.flush()
end
done = function(summary, latency)
  local e = summary.errors
  print(string.format("load %d %d %d %d %d", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
`;

/** Bytes, one a character and none below a space but CR and LF, as a Lua string. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A script whose requests are all the same: without a function `request`, wrk calls no Lua while it runs. */
function constantScript(text: string): string {
  return `wrk.format = function() return ${quoted(text)} end\n`;
}

/** A Lua expression for a request in which the number of `serial` has its places. */
function numbered(text: string): string {
  const pieces = text.split(serialMark).map(quoted);
  return pieces.join(` .. string.format("%0${serialDigits}d", serial) .. `);
}

/** A script whose requests are made by functions of the number, in turn. */
function variedScript(texts: readonly string[]): string {
  return `local serial = 0
local requests = { ${texts.map((text) => `function() return ${numbered(text)} end`).join(",\n")} }
request = function()
  serial = serial + 1
  return requests[serial % #requests + 1]()
end
`;
}

/** @returns the Lua script for a workload. */
export function wrkScript({ requests, pipelined = 1 }: Workload): string {
  const [only = ""] = requests;
  const constant = requests.length === 1 && !only.includes(serialMark);
  return (constant ? constantScript(only.repeat(pipelined)) : variedScript(requests)) + report;
}

/**
 * @param output what wrk has printed with the script's report.
 * @param pipelined whether requests were pipelined.
 * @throws Error when the report is not in it.
 */
export function parseLoad(output: string, pipelined: boolean): Load {
  const match = /^load (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(output);
  if (match === null) {
    throw new Error(`wrk gave no report; it said: ${output.trim()}`);
  }
  const [requests = 0, duration = 0, p50 = 0, p99 = 0, errors = 0] = match.slice(1).map(Number);
  const latency = pipelined || requests === 0 ? undefined : { p50: p50 / 1_000, p99: p99 / 1_000 };
  return { requests, seconds: duration / 1e6, latency, errors };
}
