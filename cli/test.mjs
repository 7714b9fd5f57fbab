/** `nound test`: checks the types, then runs the tests. TypeScript and vitest are those of the clone: nothing to download. */

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fail } from "../cmake/configuration.mjs";
import { currentProject, nound } from "./project.mjs";

/** The program of a package: the project's own, or else the clone's. */
export function programOf(folder, name, program) {
  for (const place of [folder, nound])
    try {
      return resolve(createRequire(join(place, "package.json")).resolve(`${name}/package.json`), "..", program);
    } catch {
      // not there
    }
  return fail(`${name} is not installed: run \`npm ci\` in ${nound}`);
}

/** The command that checks the types of a project. */
export function typeCheck(folder) {
  return [process.execPath, programOf(folder, "typescript", "bin/tsc"), "--noEmit", "-p", folder];
}

/** @param {readonly string[]} args for vitest. */
export function testProject(args) {
  const { folder } = currentProject();
  const config = resolve(import.meta.dirname, "vitest.config.mjs");
  const vitest = [
    process.execPath,
    programOf(folder, "vitest", "vitest.mjs"),
    "run",
    "--root",
    folder,
    "--config",
    config,
  ];
  for (const [command, ...rest] of [typeCheck(folder), [...vitest, ...args]]) {
    const { status } = spawnSync(command, rest, { stdio: "inherit", cwd: folder });
    if (status !== 0) process.exit(status ?? 1);
  }
}
