/** The programs of the test machine that tests need; Debian's packages are installed for those missing. */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { again } from "./again.ts";

const boardPrograms = {
  "qemu-system-arm": "qemu-system-arm",
  fdtput: "device-tree-compiler",
  xz: "xz-utils",
  mosquitto: "mosquitto",
} as const;

/** Debian's folder of servers is not on everyone's path. */
const path = `${process.env["PATH"]}:/usr/sbin`;

function isInstalled(program: string): boolean {
  return path.split(":").some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs a command as root, by sudo where need be, but without asking for a password. @returns whether it succeeded. */
function asRoot(...command: readonly string[]): boolean {
  const [program = "", ...args] = process.getuid?.() === 0 ? command : ["sudo", "--non-interactive", ...command];
  return spawnSync(program, args, { stdio: ["ignore", "ignore", "inherit"] }).status === 0;
}

/**
 * Installs Debian's packages, waiting for another program that installs some.
 * @throws Error with the command to run when they cannot be installed from here.
 */
export function installPackages(names: readonly string[], who: string): void {
  const reason = (): Error =>
    new Error(
      `${who} needs the packages ${names.join(", ")}, which could not be installed; ` +
        `as root, run: apt-get install --no-install-recommends ${names.join(" ")}`,
    );
  if (!asRoot("apt-get", "--version")) throw reason();
  console.log(`Installing ${names.join(", ")} from Debian.`);
  const options = ["-o", "DPkg::Lock::Timeout=300", "-y", "-qq", "--no-install-recommends"];
  again(() => {
    asRoot("apt-get", "update", "-qq");
    if (!asRoot("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", ...options, ...names)) throw reason();
  });
}

/**
 * Installs what `who` needs: a package for each program.
 *
 * @throws Error with the command to run when packages are missing and cannot be installed from here.
 */
export function installHostPackages(
  packageOf: Readonly<Record<string, string>> = boardPrograms,
  who = "The board test",
): void {
  const lacking = Object.entries(packageOf).filter(([program]) => !isInstalled(program));
  const missing = [...new Set(lacking.map(([, name]) => name))];
  if (missing.length > 0) installPackages(missing, who);
}
