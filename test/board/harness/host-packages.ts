/** The programs of the test machine that tests need; Debian's packages are installed for those missing. */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";

const boardPrograms = { "qemu-system-arm": "qemu-system-arm", fdtput: "device-tree-compiler", xz: "xz-utils" } as const;

const { PATH = "" } = process.env;

function isInstalled(program: string): boolean {
  return PATH.split(":").some((folder) => {
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
  if (missing.length === 0) {
    return;
  }
  console.log(`Installing ${missing.join(", ")} from Debian.`);
  const install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", ...missing];
  asRoot("apt-get", "update", "-qq");
  if (!asRoot("env", "DEBIAN_FRONTEND=noninteractive", ...install)) {
    throw new Error(
      `${who} needs the packages ${missing.join(", ")}, which could not be installed; ` +
        `as root, run: apt-get install --no-install-recommends ${missing.join(" ")}`,
    );
  }
}
