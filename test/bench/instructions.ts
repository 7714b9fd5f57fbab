/**
 * Instructions for a request, counted by valgrind's callgrind. A short run and a long one are compared, so that the
 * start and the end of the program are not in the figure. Unlike times, the figure is the same on a busy machine.
 */
import { Client, openIdle } from "./client.ts";
import { requestText, withSerial } from "./request-text.ts";
import { RunningServer } from "./running-server.ts";
import type { Server } from "./servers.ts";
import { markdownTable } from "./table.ts";
import { type Workload, workloads } from "./workloads.ts";

/** How many requests the long run has more than the short one. */
const counted = 2_000;

/**
 * @param printed what valgrind has printed. @returns the instructions it has counted. @throws Error when it counted
 * none.
 */
export function collected(printed: string): number {
  const match = /Collected : (\d+)/.exec(printed);
  if (match === null) {
    throw new Error(`valgrind has counted nothing; it said: ${printed.trim()}`);
  }
  return Number(match[1]);
}

async function askAll(workload: Workload, port: number, count: number): Promise<void> {
  const { requests, pipelined = 1, connectionEach = false } = workload;
  let client = await Client.connect(port);
  for (let serial = 0; serial < count; serial += pipelined) {
    if (connectionEach && serial > 0) {
      client.close();
      client = await Client.connect(port);
    }
    const text = withSerial(requests[serial % requests.length] ?? "", serial);
    const statuses = await client.ask(text.repeat(pipelined), pipelined);
    if (statuses.some((status) => status !== 200)) {
      throw new Error(`${workload.title}: an answer had the status ${statuses.join(", ")}.`);
    }
  }
  client.close();
}

/** @returns all instructions of a program that answers so many requests. */
async function count(server: Server, workload: Workload, requests: number, scratch: string): Promise<number> {
  // valgrind translates the program into memory that it executes, which the filter of system calls refuses.
  const valgrind = [
    "env",
    "NOUND_UNFILTERED=1",
    "valgrind",
    "--tool=callgrind",
    "--callgrind-out-file=/dev/null",
  ] as const;
  const running = await RunningServer.start(server, workload.setting, scratch, valgrind);
  const idle = await openIdle(running.port, workload.setting.idleConnections, requestText({}));
  await askAll(workload, running.port, requests);
  for (const client of idle) client.close();
  await running.stop();
  return collected(running.printed);
}

/** @returns the workloads of these names, or all that are counted. @throws Error for an unknown name. */
export function chosen(names: readonly string[]): readonly Workload[] {
  const unknown = names.find((wanted) => !workloads.some(({ name }) => name === wanted));
  if (unknown !== undefined) throw new Error(`There is no workload ${unknown}.`);
  return workloads.filter(({ name }) => names.length === 0 || names.includes(name));
}

/**
 * Counts for each workload.
 * @param progress is told what is counted now.
 * @param names the workloads; all where none is named.
 * @returns the table.
 * @throws Error when there is no workload of a name.
 */
export async function countInstructions(
  server: Server,
  scratch: string,
  progress: (title: string) => void,
  names: readonly string[] = [],
): Promise<string> {
  const rows: (readonly string[])[] = [];
  for (const workload of chosen(names)) {
    progress(`${server.title}, instructions: ${workload.title}`);
    // Both runs are beyond what is done once: the tables are full, and the garbage collector has had its turns.
    const few = await count(server, workload, counted, scratch);
    const many = await count(server, workload, 2 * counted, scratch);
    rows.push([workload.title, Math.round((many - few) / counted).toLocaleString("en")]);
  }
  return markdownTable(["", "instructions"], rows);
}
