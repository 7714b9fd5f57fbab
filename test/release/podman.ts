/**
 * podman as a user without rights. `newuidmap` gives that user the numbers of the container's users. All is in one
 * folder, which goes with the test run.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./work-folder.ts";

/** The folder of all that containers are given. */
export const folder = temporaryFolder();

/** The user; undefined if root finds none with numbers for containers. */
const user = userOfContainers();

/** @returns the user's number, which is one's own unless that is root. */
function userOfContainers(): number | undefined {
  const own = process.getuid?.() ?? 0;
  if (own !== 0) return own;
  if (!existsSync("/etc/subuid")) return undefined;
  const [name = ""] = readFileSync("/etc/subuid", "utf8").split(":");
  const id = Number(spawnSync("id", ["-u", name], { encoding: "utf8" }).stdout);
  return id > 0 ? id : undefined;
}

/** Gives the user a path and all below it. */
export function giveAway(path: string): void {
  if (process.getuid?.() === 0) spawnSync("chown", ["-R", String(user), path]);
}

for (const name of ["run", "home", "storage"]) mkdirSync(join(folder, name), { mode: 0o700 });
chmodSync(folder, 0o755);
giveAway(folder);

/** A group of the host that may open devices, and that the user is in, if root gives it: as `gpio` of a Pi. */
export const group = 62_381;

/** A program that runs containers, and the words before podman with which it may run here. */
interface Runtime {
  readonly name: string;
  readonly before: readonly string[];
}

/** crun refuses a kernel that has both kinds of cgroups. The user has only those of version 2, in a place of its own. */
const unified = `umount -l /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup && exec "$@"`;
const runtimes: readonly Runtime[] = [
  { name: "crun", before: [] },
  ...(process.getuid?.() === 0 ? [{ name: "crun", before: ["unshare", "--mount", "sh", "-c", unified, "sh"] }] : []),
  { name: "runc", before: [] },
];

/** That with which podman runs, as far as this machine lets it. */
let runtime: Runtime = { name: "crun", before: [] };

/** The words before a command of the user. */
const prefix = [
  ...(process.getuid?.() === 0 ? ["setpriv", `--reuid=${user}`, `--regid=${user}`, `--groups=${group}`] : []),
  ...["env", `XDG_RUNTIME_DIR=${folder}/run`, `HOME=${folder}/home`],
];

function run(command: readonly string[], place = folder) {
  const [name = "", ...rest] = command;
  const { status, stdout, stderr } = spawnSync(name, rest, { cwd: place, encoding: "utf8" });
  return { status, stdout: (stdout ?? "").trim(), stderr: (stderr ?? "").trim() };
}

/** @returns the words that podman begins with. */
function podmanWords(): readonly string[] {
  const places = [`--root=${folder}/storage`, `--runroot=${folder}/run`];
  return ["podman", ...places, "--cgroup-manager=cgroupfs", `--runtime=${runtime.name}`];
}

/** Runs podman as the user. @returns its status, and what it printed. */
export function podman(...args: readonly string[]) {
  return run([...runtime.before, ...prefix, ...podmanWords(), ...args]);
}

/** Has podman-compose start podman without networks of containers, which a user's podman may be unable to make. */
const withoutNetworks = `for word; do
	shift
	case $word in --net | --network-alias) left=yes ;; *) [ "$left" ] || set -- "$@" "$word"; left= ;; esac
done`;

/** Runs podman-compose as the user, in a folder with a compose.yaml. @returns its status, and what it printed. */
export function podmanCompose(place: string, ...args: readonly string[]) {
  const programs = join(folder, "programs");
  const { PATH = "" } = process.env;
  mkdirSync(programs, { recursive: true });
  const script = `#!/bin/sh\nPATH='${PATH}' left=\n${withoutNetworks}\nexec ${podmanWords().join(" ")} "$@"\n`;
  writeFileSync(join(programs, "podman"), script, { mode: 0o755 });
  return run([...runtime.before, ...prefix, `PATH=${programs}:${PATH}`, "podman-compose", ...args], place);
}

/** Runs podman as root, by Docker's runtime. @returns its status, and what it printed. */
export function podmanOfRoot(...args: readonly string[]) {
  // With vfs, nothing stays mounted.
  const places = [`--root=${folder}/of-root`, `--runroot=${folder}/run-of-root`, "--storage-driver=vfs"];
  return run(["podman", ...places, "--cgroup-manager=cgroupfs", "--runtime=runc", ...args]);
}

/** @returns why the user's containers do not have the user's groups; undefined if they can. */
export function obstacleToGroups(): string | undefined {
  if (process.getuid?.() !== 0) return "only root gives a device to a group";
  return runtime.name === "crun" ? undefined : "crun alone keeps groups, and does not run here";
}

/**
 * @param attempt makes an image and runs it.
 * @returns why nothing can be tried here; undefined if the image runs.
 */
export function obstacle(attempt: () => ReturnType<typeof podman>): string | undefined {
  if (spawnSync("podman", ["--version"]).status !== 0) return "podman is missing";
  if (user === undefined) return "no user has numbers in /etc/subuid: useradd -m somebody";
  let reason = "";
  for (const one of runtimes) {
    runtime = one;
    const { status, stderr } = attempt();
    if (status === 0) return undefined;
    reason = stderr;
    leave();
  }
  return reason.split("\n").at(-1);
}

/** Removes all images and containers: files of the container's users are not the tester's to remove. */
export function tidy(): void {
  if (user === undefined) return;
  podman("unshare", "rm", "-rf", join(folder, "storage"));
  leave();
}

/** Ends the process that holds the user's namespaces, which all commands join. */
function leave(): void {
  podman("system", "migrate");
}

/** @returns what a path of a server has; undefined as long as nothing answers, or anything else than 200. */
export async function answered(
  address: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  try {
    const answer = await fetch(`http://${address}${path}`, { headers });
    return answer.status === 200 ? await answer.text() : undefined;
  } catch {
    return undefined;
  }
}
