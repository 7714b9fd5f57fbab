/** Folders and commands of the tests of a release. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const { PATH = "" } = process.env;

/** The repository's top. */
export const top = resolve(import.meta.dirname, "../..");

/** The folder of the release. */
export const dist = resolve(top, "dist");

/** A folder that goes with the test run. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "nound-release-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a command. @returns what it prints. @throws Error with what it printed, when it fails. */
export function run(
  command: string,
  args: readonly string[],
  options: { readonly folder?: string; readonly environment?: Readonly<Record<string, string>> } = {},
): string {
  return execFileSync(command, args, {
    cwd: options.folder ?? top,
    encoding: "utf8",
    env: { ...process.env, ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** A folder with all programs of a PATH but those whose names match, to see whether something does without them. */
export function programsWithout(hidden: RegExp): string {
  const folder = temporaryFolder();
  for (const place of PATH.split(":").reverse()) {
    for (const name of listed(place).filter((name) => !hidden.test(name))) {
      rmSync(join(folder, name), { force: true });
      symlinkSync(join(place, name), join(folder, name));
    }
  }
  return folder;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
