/** The linked programs that the npm package brings along, in `programs/`. */

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail } from "../tools/build/configuration.mjs";
import { nound } from "./project.mjs";

const folder = resolve(nound, "programs");

/** Whether this is the npm package, and not a clone. */
export const isPackage = existsSync(folder);

/** The targets by Node's name of a processor. */
const processors = { x64: "x86_64", arm64: "aarch64", arm: "armv7", riscv64: "riscv64", mipsel: "mipsel" };

/** The target of this machine; undefined if none of our programs runs here. */
const hostTarget = process.platform === "linux" ? processors[process.arch] : undefined;

/** @returns {string | undefined} the path of a program for this machine, if the package has it. */
function programOfHost(name) {
  const path = hostTarget === undefined ? undefined : join(folder, hostTarget, name);
  return path !== undefined && existsSync(path) ? path : undefined;
}

/** @type {import("./linked-programs.mjs").LinkedPrograms} */
export const packagedPrograms = {
  programsFor(target) {
    const targets = readdirSync(folder);
    const name = target === "host" ? hostTarget : target;
    if (name === undefined || !targets.includes(name)) {
      const missing =
        target === "host" ? "this package has no program for this machine" : `there is no target ${target}`;
      fail(`${missing}; available with --target: ${targets.join(", ")}`);
    }
    return { runtime: join(folder, name, "nound-runtime"), compiler: programOfHost("nound-embed") };
  },
  hostRuntime() {
    return (
      programOfHost("nound-runtime") ??
      fail(
        "this package has no program for this machine; a release has those for Linux on x86_64 and aarch64; " +
          "`npx nound test` runs here, too",
      )
    );
  },
};
