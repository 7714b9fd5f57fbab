/** The programs that a build runs. apt installs those that are missing, if that needs no password. */

import { spawnSync } from "node:child_process";

/** Debian's packages that have each program. */
const packagesOf = {
  cmake: ["cmake"],
  ninja: ["ninja-build"],
  cc: ["gcc", "libc6-dev"],
  xz: ["xz-utils"],
};

/** Whether a program can be started. */
export function isInstalled(program) {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

/** Runs a command as root. @returns whether it succeeded. */
function asRoot(...command) {
  const [program, ...args] = process.getuid?.() === 0 ? command : ["sudo", "--non-interactive", ...command];
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

/**
 * Installs those of the programs that are missing, and says so in a line.
 * @param programs names of `packagesOf`.
 * @returns a sentence with the command to type if they cannot be installed from here; undefined if nothing is missing.
 */
export function installPrograms(programs) {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return undefined;
  const packages = missing.flatMap((program) => packagesOf[program]).join(" ");
  const install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", ...packages.split(" ")];
  if (asRoot("apt-get", "--version")) {
    console.log(`nound: installing ${packages} by apt`);
    asRoot("apt-get", "update", "-qq");
    if (asRoot("env", "DEBIAN_FRONTEND=noninteractive", ...install)) return undefined;
  }
  return `${missing.join(" and ")} must be installed first: sudo apt-get install --no-install-recommends ${packages}`;
}
