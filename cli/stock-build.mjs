/** The linked programs of a clone: `npm run build` makes the same ones. */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  announceFirstBuild,
  buildFolder,
  checkTargets,
  checkTools,
  configure,
  demonstration,
  fail,
} from "../tools/build/configuration.mjs";
import { nound } from "./project.mjs";

/**
 * The target whose program `nound dev` serves with: the complete one if `npm run build` has made it, or else that of
 * `npm start`, which is there already or built in seconds. Both have the same simulated hardware.
 *
 * @param {(target: string) => string} folderOf the folder of a build.
 */
export function developmentTarget(folderOf = buildFolder) {
  return existsSync(join(folderOf("host"), "nound")) ? "host" : demonstration;
}

/** Brings parts of a target's build up to date. Prints nothing if nothing has changed. */
function buildParts(target, parts) {
  checkTools([target]);
  configure(target, []);
  const folder = buildFolder(target);
  // `npm start` has compiled the engine of this target, but not this part.
  const isFirst = !existsSync(join(folder, target === demonstration ? "libquickjs.a" : parts[0]));
  if (isFirst) announceFirstBuild(target);
  const { status, stdout } = spawnSync("cmake", ["--build", folder, "--target", ...parts], {
    stdio: ["ignore", isFirst && target !== demonstration ? "inherit" : "pipe", "inherit"],
    encoding: "utf8",
  });
  if (status !== 0) fail(`${target} could not be built${stdout ? `:\n${stdout.trim()}` : "; the reason is above"}`);
}

/** Ends the program for a preset without a toolchain file, because such a preset is for tests of nound itself. */
function checkToolchain(target) {
  if (!existsSync(resolve(nound, "toolchains", `${target}.cmake`)))
    fail(`${target} is for tests of nound itself; docs/install.md lists the targets`);
}

/** @type {import("./linked-programs.mjs").LinkedPrograms} */
export const builtPrograms = {
  programsFor(target) {
    checkTargets([target]);
    checkToolchain(target);
    const [part, folder] = target === "host" ? ["nound-embed", "host"] : ["nound-host-tools", "host-tools"];
    buildParts(target, ["nound-runtime", part]);
    return {
      runtime: join(buildFolder(target), "nound-runtime"),
      compiler: join(buildFolder(folder), "nound-embed"),
    };
  },
  hostRuntime() {
    const target = developmentTarget();
    buildParts(target, ["nound-runtime"]);
    return join(buildFolder(target), "nound-runtime");
  },
};
