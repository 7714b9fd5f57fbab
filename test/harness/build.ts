/** Brings the programs that tests start up to date. */
import { spawnSync } from "node:child_process";
import { relative } from "node:path";
import { buildDirectory, isEmulated } from "./environment.ts";
import { top } from "./top.ts";

/**
 * Builds programs of the build under test, where that is one of this repository's. test/targets/main.ts builds those
 * that run in an emulator.
 * @param part of the build.
 * @throws Error when they cannot be built; why has been printed.
 */
export function buildPart(part: string): void {
  const [, target] = /^build\/([^/]+)$/.exec(relative(top, buildDirectory)) ?? [];
  if (target === undefined || isEmulated) return;
  const command = ["tools/build/build.mjs", target, `--part=${part}`];
  if (spawnSync(process.execPath, command, { cwd: top, stdio: "inherit" }).status !== 0)
    throw new Error(`The programs of build/${target} could not be built; the reason is above.`);
}

/** Builds all programs that tests start. */
export function buildPrograms(): void {
  buildPart("nound-tests");
}
