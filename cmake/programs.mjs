/** The programs that a build runs. Those that are missing are installed by apt, where that is allowed without a password. */

import { spawnSync } from "node:child_process";

/** Debian's packages that have each program. */
const packagesOf = {
  cmake: ["cmake"],
  ninja: ["ninja-build"],
  cc: ["gcc", "libc6-dev"],
};

function isInstalled(program) {
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
 * @returns a sentence with the command to type where they cannot be installed from here; undefined when all is there.
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
