/** The programs that the benchmark runs and does not build. It installs none. */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";

const { PATH } = process.env;
// Debian has servers where only root's PATH leads.
const folders = [...(PATH ?? "").split(":"), "/usr/sbin", "/usr/local/sbin"];

/** @returns the path of a program, or undefined when it is not installed. */
export function findProgram(name: string): string | undefined {
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Before a command: the kernel kills it when this program ends, however that happens, even if it is stopped. */
export const endsWithParent = ["setpriv", "--pdeathsig", "KILL"] as const;

/** Moves all threads of this program to a processor. What it starts later runs there, too, unless told otherwise. */
export function pinThisProgram(cpu: number): void {
  const { status, stderr } = spawnSync("taskset", ["-a", "-c", "-p", String(cpu), String(process.pid)], {
    encoding: "utf8",
  });
  if (status !== 0) {
    throw new Error(`taskset could not move the benchmark to processor ${cpu}: ${stderr.trim()}`);
  }
}

/** @returns the first version number that a program says of itself, on either output; "unknown" when it says none. */
export function versionOf(program: string, argument: string): string {
  const { stdout, stderr } = spawnSync(program, [argument], { encoding: "utf8" });
  return /\d+\.\d+(\.\d+)?/.exec(`${stdout}${stderr}`)?.[0] ?? "unknown";
}
