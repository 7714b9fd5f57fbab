/** A newer Debian beside this one, whose packages are not in this one. It is fetched before a run, and removed after. */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { top } from "../../harness/top.ts";
import { type Network, run } from "../namespaces.ts";

const suite = "trixie";
const packages = "rabbitmq-server,ejabberd";

/** Its root folder. */
export const root = join(top, "build/fleet-debian");

/** Fetches it by debootstrap, unless it is there. Services are not started. */
export function fetchDebian(): void {
  if (existsSync(root)) return;
  const unfinished = `${root}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  console.log(`Fetching Debian ${suite} with ${packages}.`);
  run("debootstrap", "--variant=minbase", `--include=${packages}`, suite, unfinished);
  renameSync(unfinished, root);
}

export function removeDebian(): void {
  rmSync(root, { recursive: true, force: true });
}

/** Prepares it for the programs of this run: what these write goes with the run. @param folders that they write to. */
export function mountDebian(folders: readonly string[]): void {
  run("mount", "-t", "proc", "proc", join(root, "proc"));
  run("mount", "--bind", "/dev", join(root, "dev"));
  for (const folder of folders) run("mount", "-t", "tmpfs", "nound-fleet", join(root, folder));
}

/** @returns the words that run a command there, in the brokers' network. */
export function inDebian(
  network: Network,
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): [string, ...string[]] {
  const variables = Object.entries({ PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...environment });
  return network.atBrokers(
    "chroot",
    root,
    "env",
    "-i",
    ...variables.map(([name, value]) => `${name}=${value}`),
    ...words,
  );
}
