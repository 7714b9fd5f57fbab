/** The requirements of a build, the targets, and their configuration by CMake. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { needPackages } from "./packages.mjs";
import { installPrograms, isInstalled } from "./programs.mjs";

const root = resolve(import.meta.dirname, "../..");
const cmakeMinimum = [3, 25];

/** Ends the program with a sentence for people. */
export function fail(sentence) {
  console.error(`nound: ${sentence}`);
  process.exit(1);
}

/** The version that a program prints, or undefined if it is not installed. */
function versionOf(program) {
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.match(/\d+\.\d+(\.\d+)?/)?.[0] : undefined;
}

/** The target of `npm start`. The system's compiler builds it in seconds; without one, zig does. */
export const demonstration = "demonstration";

/** The targets that the system's compiler builds, as their sanitizers need the system's C library. */
const bySystemCompiler = ["asan", "gc"];

/** Whether CMake finds a compiler of the system. */
function hasCompiler() {
  return ["cc", "gcc", "clang"].some(isInstalled);
}

/**
 * Ends the program unless everything for building these targets is installed. Installs CMake, Ninja, a compiler and the
 * package of zig if they are missing and the user has the rights.
 */
export function checkTools(targets) {
  const needed = targets.some((target) => bySystemCompiler.includes(target));
  const wanted = needed || targets.includes(demonstration);
  let sentence = installPrograms(["cmake", "ninja", ...(wanted && !hasCompiler() ? ["cc"] : [])]);
  if (sentence !== undefined && !needed && !hasCompiler()) sentence = installPrograms(["cmake", "ninja"]);
  if (sentence !== undefined) fail(sentence);
  const cmake = versionOf("cmake") ?? "";
  const [major, minor] = cmake.split(".").map(Number);
  if (major < cmakeMinimum[0] || (major === cmakeMinimum[0] && minor < cmakeMinimum[1]))
    fail(
      `CMake ${cmake} is too old, ${cmakeMinimum.join(".")} is needed; Debian 12 and later have it: apt-get ` +
        `install cmake`,
    );
  if (!existsSync(resolve(root, "node_modules/esbuild")))
    fail("the development packages are not installed: run `npm ci`");
  if (targets.some(usesZig)) needPackages("targets");
}

/** Whether zig builds a target, so that the cross compiler must be installed. */
function usesZig(target) {
  const isByZig =
    existsSync(resolve(root, "toolchains", `${target}.cmake`)) || (target === demonstration && !hasCompiler());
  return isByZig && !process.env.ZIG;
}

/** Ends the program unless each target is a configure preset that is not hidden. */
export function checkTargets(targets) {
  const presets = JSON.parse(readFileSync(resolve(root, "CMakePresets.json"), "utf8"));
  const known = presets.configurePresets.filter((preset) => preset.hidden !== true).map((preset) => preset.name);
  for (const target of targets)
    if (!known.includes(target)) fail(`there is no target ${target}; available: ${known.join(", ")}`);
}

/** The folder in which a target is built. */
export function buildFolder(target) {
  return resolve(root, "build", target);
}

/** A setting of a target that has been configured. */
export function setting(target, name) {
  const cache = readFileSync(resolve(buildFolder(target), "CMakeCache.txt"), "utf8");
  return cache.match(new RegExp(`^${name}:\\w+=(.*)$`, "m"))?.[1] ?? "";
}

/**
 * The sentence inside CMake's report of a fatal error, which it wraps and indents; the whole report if it has no
 * sentence.
 */
function cmakeSentence(report) {
  const [, error] = report.split(/^CMake Error[^\n]*\n/m);
  const sentence = error
    ?.split(/\n(?=\S)/)[0]
    ?.trim()
    .split(/\s+/)
    .join(" ");
  return sentence || report.trim();
}

/**
 * Runs CMake and hides its output. If CMake fails, ends the program with one sentence. In a folder whose path is not
 * ASCII, CMake can unpack only with a locale of UTF-8; that of the user may not be installed.
 */
export function runCmake(args) {
  const env = { ...process.env, LC_ALL: "C.UTF-8" };
  const { status, stdout, stderr } = spawnSync("cmake", args, { cwd: root, encoding: "utf8", env });
  if (status !== 0) fail(cmakeSentence(`${stderr}\n${stdout}`));
}

/** True when only the preset can configure the target as asked for; otherwise ninja knows what CMake has read. */
function needsPreset(folder, options) {
  const ninjaFile = resolve(folder, "build.ninja");
  if (options.length > 0 || process.env.ZIG || !existsSync(ninjaFile)) return true;
  return statSync(resolve(root, "CMakePresets.json")).mtimeMs > statSync(ninjaFile).mtimeMs;
}

/** Brings the configuration up to date, apart from the build so that its one sentence is not buried in a report. */
export function configure(target, options) {
  const folder = buildFolder(target);
  const byZig =
    target === demonstration && !hasCompiler()
      ? [`-DCMAKE_TOOLCHAIN_FILE=${resolve(root, "toolchains/host.cmake")}`]
      : [];
  runCmake(
    needsPreset(folder, options)
      ? ["--preset", target, ...byZig, ...options]
      : ["--build", folder, "--target", "build.ninja"],
  );
}

/** Prints that a target's first build takes long. */
export function announceFirstBuild(target) {
  if (target === demonstration && hasCompiler()) {
    console.log("nound: the first build compiles a JavaScript engine: 12 s on two quiet processors. Ctrl-C ends it");
    return;
  }
  console.log(
    `Building ${target} for the first time compiles a JavaScript engine and libc: a minute on two quiet processors, ` +
      "several beside other work. Later builds take seconds.",
  );
}
