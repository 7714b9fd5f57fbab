/** The clone's own build, as far as an application needs it. */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { announceFirstBuild, buildFolder, checkTools, configure, fail } from "../cmake/configuration.mjs";

/** Brings parts of a target's build up to date. Says nothing when there is nothing to say. */
export function buildParts(target, parts) {
  checkTools([target]);
  configure(target, []);
  const folder = buildFolder(target);
  const isFirst = !existsSync(join(folder, "CMakeFiles/nound-native.dir/native/runtime.c.o"));
  if (isFirst) announceFirstBuild(target);
  const { status, stdout } = spawnSync("cmake", ["--build", folder, "--target", ...parts], {
    stdio: ["ignore", isFirst ? "inherit" : "pipe", "inherit"],
    encoding: "utf8",
  });
  if (status !== 0) fail(`${target} could not be built${stdout ? `:\n${stdout.trim()}` : "; the reason stands above"}`);
}

/** @returns {string} the path of the program `nound` for this machine, built as it is now. */
export function buildHostProgram() {
  buildParts("host", ["nound"]);
  return join(buildFolder("host"), "nound");
}
