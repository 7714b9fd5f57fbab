/** How long a server takes from execve to its first answer. */
import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort, loadCpu, serverCpu } from "./running-server.ts";
import type { Server } from "./servers.ts";
import { usual } from "./workloads.ts";

const stopwatch = resolve("build/host/nound-stopwatch");

/** Starts a server once. @param scratch a folder in which it gets one of its own. @returns ms. */
export async function startTime(server: Server, scratch: string): Promise<number> {
  const port = await freePort();
  const command = server.command(port, usual, mkdtempSync(join(scratch, `${server.name}-`)));
  const { stdout } = await promisify(execFile)("taskset", [
    ...["-c", String(loadCpu), stopwatch, String(serverCpu), String(port)],
    ...command,
  ]);
  return Number(stdout) / 1e6;
}
