/**
 * podman as a user without rights. `newuidmap` gives that user the numbers of the container's users. All is in one
 * folder, which goes with the test run.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
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

/** The words that start podman, as far as this machine lets it run. */
let words: readonly string[] = ["podman"];

/** The words before a command of the user. */
const prefix = [
  ...(process.getuid?.() === 0 ? ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups"] : []),
  ...["env", `XDG_RUNTIME_DIR=${folder}/run`, `HOME=${folder}/home`],
];

/** Runs podman. @returns its status, and what it printed. */
export function podman(...args: readonly string[]) {
  const [command = "", ...rest] = [...prefix, ...words, ...args];
  const { status, stdout, stderr } = spawnSync(command, rest, { cwd: folder, encoding: "utf8" });
  return { status, stdout: (stdout ?? "").trim(), stderr: (stderr ?? "").trim() };
}

/**
 * @param attempt makes an image and runs it.
 * @returns why nothing can be tried here; undefined if the image runs.
 */
export function obstacle(attempt: () => ReturnType<typeof podman>): string | undefined {
  if (spawnSync("podman", ["--version"]).status !== 0) return "podman is missing";
  if (user === undefined) return "no user has numbers in /etc/subuid: useradd -m somebody";
  let reason = "";
  // crun refuses some ways to have cgroups.
  for (const runtime of ["crun", "runc"]) {
    const places = [`--root=${folder}/storage`, `--runroot=${folder}/run`];
    words = ["podman", ...places, "--cgroup-manager=cgroupfs", `--runtime=${runtime}`];
    const { status, stderr } = attempt();
    if (status === 0) return undefined;
    reason = stderr;
  }
  return reason.split("\n").at(-1);
}

/** Removes all images and containers: files of the container's users are not the tester's to remove. */
export function tidy(): void {
  if (user === undefined) return;
  podman("unshare", "rm", "-rf", join(folder, "storage"));
  podman("system", "migrate"); // ends the process that holds the user's namespace
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
