/** The programs that a build runs. apt installs those that are missing, if that needs no password. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

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

/** What some tests of `npm test` use besides, and the command that shows whether it is there. */
const ofTests = {
  chromium: ["/usr/bin/chromium", "--version"],
  curl: ["curl", "--version"],
  openssl: ["openssl", "version"],
  nginx: ["/usr/sbin/nginx", "-v"],
  mosquitto: ["/usr/sbin/mosquitto", "-h"],
  busybox: ["busybox", "true"],
  shellcheck: ["shellcheck", "--version"],
  "a C compiler": ["cc", "--version"],
  ...Object.fromEntries(
    ["requests", "aiohttp", "pymodbus", "serial", "serial_asyncio", "jinja2", "yaml"].map((name) => [
      `python3-${name.replace("_", "-")}`,
      ["/usr/bin/python3", "-c", `import importlib.util as u, sys; sys.exit(u.find_spec("${name}") is None)`],
    ]),
  ),
};

/** @returns {string[]} the names of those that are not installed. */
export function missingForTests() {
  const isThere = ([program, ...args]) => {
    const { error, status } = spawnSync(program, args, { stdio: "ignore" });
    // mosquitto's help has another status.
    return error === undefined && (status === 0 || !program.endsWith("python3"));
  };
  return Object.entries(ofTests).flatMap(([name, command]) => (isThere(command) ? [] : [name]));
}

/** Whether a program in a folder can be started: not if it is mounted with `noexec`. @returns {boolean} */
export function runsPrograms(folder) {
  let own;
  try {
    own = mkdtempSync(join(folder, "nound-"));
    writeFileSync(join(own, "program"), "#!/bin/sh\n", { mode: 0o755 });
    return spawnSync(join(own, "program")).status === 0;
  } catch {
    return false; // it is not there, or cannot be written
  } finally {
    if (own !== undefined) rmSync(own, { recursive: true });
  }
}
