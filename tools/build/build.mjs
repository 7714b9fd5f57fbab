/**
 * Builds nound: `npm run build [-- target ...] [-- -DNAME=VALUE ...] [-- --fresh] [-- --part=PART]`.
 *
 * A target is a preset of CMakePresets.json (`host`, unless given); the result is build/<target>/nound. Options with -D
 * go to CMake and stay in force for that target, until --fresh. A part is what else can be built instead:
 * `nound-product`, all that a release needs (cmake/Runtime.cmake), or programs of the tests (cmake/Tests.cmake). If
 * something prevents the build, one sentence says so.
 */

import "./node-version.mjs";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative, resolve } from "node:path";
import {
  announceFirstBuild,
  buildFolder,
  checkTargets,
  checkTools,
  configure,
  fail,
  setting,
} from "./configuration.mjs";

/** Runs a command in sight. @returns its exit status. */
function statusOf(command, args) {
  return new Promise((resolve) => spawn(command, args, { stdio: "inherit" }).once("close", resolve));
}

/**
 * Compiles what the programs of each target are linked of, as many targets at once as there are processors: a libc is
 * compiled by one process, and most of an engine is one file. A failure here occurs again in the target's own build,
 * with its reason.
 */
async function compileParts(targets) {
  const waiting = targets.map(buildFolder);
  const worker = async () => {
    for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
      const ninjaFile = readFileSync(resolve(folder, "build.ninja"), "utf8");
      const all = ["quickjs", "libgpiod", "nound-native", "nound-libc"];
      const parts = all.filter((part) => new RegExp(`^build ${part}:`, "m").test(ninjaFile));
      await statusOf("cmake", ["--build", folder, "--parallel", "1", "--target", ...parts]);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

/** Prints which targets have an engine other than the pinned one, and how it differs. */
function tellEngines(targets) {
  const differences = targets.map((target) => setting(target, "NOUND_ENGINE_DIFFERENCE"));
  for (const difference of new Set(differences)) if (difference !== "") console.log(`nound: ${difference}`);
}

function buildTarget(target) {
  const folder = buildFolder(target);
  const binary = resolve(folder, "nound");
  if (!existsSync(binary)) announceFirstBuild(target);
  const { status } = spawnSync("cmake", ["--build", folder, "--target", part], { stdio: "inherit" });
  if (status !== 0) fail(`${target} could not be built; the reason is above`);
  if (existsSync(binary))
    console.log(`${relative(process.cwd(), binary)}: ${Math.ceil(statSync(binary).size / 1000)} KB`);
}

const isOption = (argument) => argument.startsWith("-D") || argument === "--fresh";
const given = process.argv.slice(2);
const isPart = (argument) => argument.startsWith("--part=");
const part = given.find(isPart)?.slice("--part=".length) ?? "nound";
const options = given.filter(isOption);
const targets = given.filter((argument) => !isOption(argument) && !isPart(argument));
if (targets.length === 0) targets.push("host");
checkTargets(targets);
checkTools(targets);
for (const target of targets) configure(target, options);
tellEngines(targets);
if (targets.length > 1) await compileParts(targets);
for (const target of targets) buildTarget(target);
