/** How long a server takes from execve to its first answer. */
import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort, loadCpu, serverCpu } from "./running-server.ts";
import type { Server } from "./servers.ts";
import { usual } from "./workloads.ts";

const stopwatch = resolve("build/host/nound-stopwatch");
const engine = resolve("build/host/nound-empty");

/** @param port where the server listens; 0 where the program is none. @returns ms. */
async function timed(port: number, command: readonly string[]): Promise<number> {
  const { stdout } = await promisify(execFile)("taskset", [
    ...["-c", String(loadCpu), stopwatch, String(serverCpu), String(port)],
    ...command,
  ]);
  return Number(stdout) / 1e6;
}

/**
 * Starts a server once. @param scratch a folder in which it gets one of its own. @returns ms until its first answer.
 */
export async function startTime(server: Server, scratch: string): Promise<number> {
  const port = await freePort();
  return await timed(port, server.command(port, usual, mkdtempSync(join(scratch, `${server.name}-`))));
}

/** Runs nound's engine with its C modules and an empty script once. @returns ms until it has ended. */
export async function engineTime(): Promise<number> {
  return await timed(0, [engine]);
}
