/** Debian with systemd, booted in a container of systemd-nspawn. It is fetched once, and each test gets a copy. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { top } from "../../harness/top.ts";
import { temporaryFolder } from "../../release/work-folder.ts";
import { type Outcome, readOutcomes, writeSteps } from "./steps.ts";

const packages = ["systemd", "systemd-sysv", "udev", "dbus", "init-system-helpers", "curl", "procps"];

/** @param more packages besides the usual ones. @returns the folder of what is fetched. */
function baseOf(more: readonly string[]): string {
  return join(top, "build/systems", ["debian-12", ...more].join("-"));
}

function succeed(program: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, [...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}${stderr}`);
}

/** What keeps this machine from booting a container, or undefined. */
export function obstacle(): string | undefined {
  if (process.getuid?.() !== 0) return "a container is booted by root alone";
  const missing = ["systemd-nspawn", "debootstrap"].filter(
    (name) => spawnSync(name, ["--version"]).error !== undefined,
  );
  return missing.length > 0
    ? `${missing.join(" and ")} of Debian's systemd-container and debootstrap are not installed`
    : undefined;
}

/** Fetches Debian 12 by debootstrap, unless that was done. @param more packages besides the usual ones. */
export function fetchDebian(more: readonly string[] = []): void {
  const base = baseOf(more);
  if (existsSync(base)) return;
  const unfinished = `${base}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(join(unfinished, ".."), { recursive: true });
  succeed("debootstrap", "--variant=minbase", `--include=${[...packages, ...more].join(",")}`, "bookworm", unfinished);
  renameSync(unfinished, base);
}

/** Makes a copy of the system that runs the commands when it boots. @returns its folder. */
function prepare(
  files: Readonly<Record<string, string>>,
  commands: Readonly<Record<string, string>>,
  more: readonly string[],
  last: string,
): string {
  const root = join(temporaryFolder(), "root");
  succeed("cp", "-a", "--reflink=auto", baseOf(more), root);
  for (const [name, file] of Object.entries(files)) cpSync(file, join(root, "root", name));
  const steps = writeSteps(root, commands, last);
  const unit = `[Service]\nType=oneshot\nExecStart=/bin/sh ${steps}\n`;
  writeFileSync(join(root, "etc/systemd/system/steps.service"), unit);
  mkdirSync(join(root, "etc/systemd/system/default.target.wants"), { recursive: true });
  // It starts what is installed, which may come after the target that it would be part of: a timer is part of none.
  const timer = "[Timer]\nOnBootSec=1s\nAccuracySec=100ms\n[Install]\nWantedBy=timers.target\n";
  writeFileSync(join(root, "etc/systemd/system/steps.timer"), timer);
  succeed("systemctl", `--root=${root}`, "enable", "steps.timer");
  return root;
}

/** @returns the options of systemd-nspawn that boot a system. */
function bootOptions(root: string): readonly string[] {
  return ["--quiet", "--register=no", "--keep-unit", "--boot", `--directory=${root}`];
}

/**
 * Boots a container, runs each command by `sh` in order, as root, and ends it.
 *
 * @param files - Files of this machine, by the names that they get in the container's `/root`.
 * @param more - What `fetchDebian` was told.
 * @returns the outcome of each command, by its name.
 */
export function runInDebian<Name extends string>(
  files: Readonly<Record<string, string>>,
  commands: Readonly<Record<Name, string>>,
  more: readonly string[] = [],
): Readonly<Record<Name, Outcome>> {
  const root = prepare(files, commands, more, "systemctl poweroff");
  const options = [...bootOptions(root), "--private-network"];
  const { stdout, stderr } = spawnSync("systemd-nspawn", options, { encoding: "utf8", timeout: 300_000, input: "" });
  return readOutcomes(root, commands, stdout + stderr);
}

/** A container that goes on after its commands, in the network of this process. */
export interface RunningDebian<Name extends string> {
  readonly outcomes: Readonly<Record<Name, Outcome>>;
  end(): Promise<void>;
}

/** Boots a container in the network of this process, and runs each command as `runInDebian` does. */
export async function startDebian<Name extends string>(
  files: Readonly<Record<string, string>>,
  commands: Readonly<Record<Name, string>>,
  more: readonly string[] = [],
): Promise<RunningDebian<Name>> {
  // With the end of the unit, what the commands have started would end.
  const root = prepare(files, commands, more, "touch /root/finished; sleep infinity");
  const child = spawn("systemd-nspawn", bootOptions(root), { stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (printed += text));
  const end = async (): Promise<void> => {
    // At this signal, it shuts the system down.
    child.kill("SIGTERM");
    await closed;
  };
  try {
    const finished = join(root, "root/finished");
    for (let count = 0; !existsSync(finished) && child.exitCode === null && count < 3_000; count++) await delay(100);
    return { outcomes: readOutcomes(root, commands, printed), end };
  } catch (error) {
    await end();
    throw error;
  }
}
