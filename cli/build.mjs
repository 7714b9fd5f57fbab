/** `nound build [TARGET...] [--debug]`: a static binary with the application inside, for each target. */

import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { buildFolder, checkTargets, fail, runCmake } from "../cmake/configuration.mjs";
import { currentProject, nound } from "./project.mjs";
import { buildParts } from "./stock-build.mjs";

/** A target's toolchain file. Ends the program for a preset that has none, as it is for tests of nound itself. */
function toolchainOf(target) {
  const toolchain = resolve(nound, "toolchains", `${target}.cmake`);
  if (!existsSync(toolchain)) fail(`${target} is for tests of nound itself; docs/boards.md lists the targets`);
  return toolchain;
}

function buildTarget({ folder, name, entry }, target, isDebug) {
  const output = join(folder, "build", target);
  const work = join(output, "cmake");
  runCmake([
    ...["-S", resolve(nound, "cmake/application"), "-B", work, "-G", "Ninja"],
    `-DCMAKE_TOOLCHAIN_FILE=${toolchainOf(target)}`,
    "-DCMAKE_BUILD_TYPE=Release",
    `-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${output}`,
    `-DNOUND_BUILD=${buildFolder(target)}`,
    `-DNOUND_APPLICATION=${entry}`,
    `-DNOUND_ROOT=${folder}`,
    `-DNOUND_NAME=${name}`,
    `-DNOUND_DEBUG=${isDebug ? "ON" : "OFF"}`,
  ]);
  const { status } = spawnSync("cmake", ["--build", work], { stdio: "inherit" });
  if (status !== 0) fail(`${name} could not be built; the reason stands above`);
  const binary = join(output, name);
  console.log(`${relative(folder, binary)}: ${Math.ceil(statSync(binary).size / 1000)} KB`);
}

/** @param {readonly string[]} args targets, `host` if there are none, and `--debug`. */
export function buildProject(args) {
  const unknown = args.find((argument) => argument.startsWith("-") && argument !== "--debug");
  if (unknown !== undefined) fail(`there is no option ${unknown}; there is --debug`);
  const project = currentProject();
  const targets = args.filter((argument) => !argument.startsWith("-"));
  if (targets.length === 0) targets.push("host");
  checkTargets(targets);
  for (const target of targets) {
    buildParts(target, ["nound-parts"]);
    buildTarget(project, target, args.includes("--debug"));
  }
}
