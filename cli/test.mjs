/**
 * `nound test`: checks the types, then runs the tests. TypeScript and vitest come from the clone, so nothing is
 * downloaded.
 */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fail } from "../tools/build/configuration.mjs";
import { currentProject, nound } from "./project.mjs";

/** The path of a package's file: in the project's own installation of it, or else in the clone's. */
function fileOfPackage(folder, name, file) {
  for (const place of [folder, nound])
    try {
      return resolve(createRequire(join(place, "package.json")).resolve(`${name}/package.json`), "..", file);
    } catch {
      // not there
    }
  return fail(`${name} is not installed: run \`npm ci\` in ${nound}`);
}

/**
 * The command that checks the types of a project: TypeScript's native program, because starting it by Node doubles the
 * time.
 */
export function typeCheck(folder) {
  const starter = fileOfPackage(folder, "typescript", "bin/tsc");
  const modules = resolve(starter, "../../..");
  const program = join(modules, "@typescript", `typescript-${process.platform}-${process.arch}`, "lib/tsc");
  return [...(existsSync(program) ? [program] : [process.execPath, starter]), "--noEmit", "-p", folder];
}

/** @param {readonly string[]} args for vitest. */
export function testProject(args) {
  const { folder } = currentProject();
  const config = resolve(import.meta.dirname, "vitest.config.mjs");
  const vitest = [
    process.execPath,
    fileOfPackage(folder, "vitest", "vitest.mjs"),
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
