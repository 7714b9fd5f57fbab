/** The load generator, wrk: the script it is given and what it says. */
import { serialDigits, serialMark } from "./request-text.ts";
import type { Workload } from "./workloads.ts";

/** What a run of wrk says. */
export interface Load {
  readonly requests: number;
  readonly errors: number;
}

// Says when the load is about to begin, and the figures as wrk has them, rather than those that it rounds.
const report = `
init = function()
  print("ready")
  io.flush()
end
done = function(summary)
  local e = summary.errors
  print(string.format("load %d %d", summary.requests, e.connect + e.read + e.write + e.status + e.timeout))
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

/** @param output what wrk has printed with the script's report. @throws Error when the report is not in it. */
export function parseLoad(output: string): Load {
  const match = /^load (\d+) (\d+)$/m.exec(output);
  if (match === null) throw new Error(`wrk gave no report; it said: ${output.trim()}`);
  return { requests: Number(match[1]), errors: Number(match[2]) };
}
