/**
 * Builds nound: `npm run build [-- target ...] [-- -DNAME=VALUE ...] [-- --fresh] [-- --product]`.
 *
 * A target is a preset of CMakePresets.json (`host`, unless given); the result is build/<target>/nound. Options with -D
 * go to CMake and stay in force for that target, until --fresh. With --product, the programs of the tests are left out.
 * Whatever prevents the build is said in one sentence.
 */

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const cmakeMinimum = [3, 25];

/** Ends the build with a sentence for people. */
function fail(sentence) {
  console.error(`nound: ${sentence}`);
  process.exit(1);
}

/** What a program says of its version, or undefined when it is not there. */
function versionOf(program) {
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.match(/\d+\.\d+(\.\d+)?/)?.[0] : undefined;
}

function checkTools() {
  const cmake = versionOf("cmake");
  if (cmake === undefined) fail("CMake is not installed; on Debian: apt-get install cmake");
  const [major, minor] = cmake.split(".").map(Number);
  if (major < cmakeMinimum[0] || (major === cmakeMinimum[0] && minor < cmakeMinimum[1]))
    fail(
      `CMake ${cmake} is too old, ${cmakeMinimum.join(".")} is needed; Debian 12 and later have it: apt-get install cmake`,
    );
  if (versionOf("ninja") === undefined) fail("Ninja is not installed; on Debian: apt-get install ninja-build");
  if (!existsSync(resolve(root, "node_modules/esbuild")))
    fail("the development packages are not installed: run `npm ci`");
}

/** The names a person may give: the configure presets that are not hidden. */
function targetNames() {
  const presets = JSON.parse(readFileSync(resolve(root, "CMakePresets.json"), "utf8"));
  return presets.configurePresets.filter((preset) => preset.hidden !== true).map((preset) => preset.name);
}

/** The sentence inside CMake's report of a fatal error, which it wraps and indents; the whole report when there is none. */
function cmakeSentence(report) {
  const [, error] = report.split(/^CMake Error[^\n]*\n/m);
  const sentence = error
    ?.split(/\n(?=\S)/)[0]
    ?.trim()
    .split(/\s+/)
    .join(" ");
  return sentence || report.trim();
}

/** True when only the preset can configure the target as asked for; otherwise ninja knows what CMake has read. */
function needsPreset(folder, options) {
  const ninjaFile = resolve(folder, "build.ninja");
  if (options.length > 0 || process.env.ZIG || !existsSync(ninjaFile)) return true;
  return statSync(resolve(root, "CMakePresets.json")).mtimeMs > statSync(ninjaFile).mtimeMs;
}

/** Brings the configuration up to date, apart from the build so that its one sentence is not buried in a report. */
function configure(target, options) {
  const folder = resolve(root, "build", target);
  const how = needsPreset(folder, options)
    ? ["--preset", target, ...options]
    : ["--build", folder, "--target", "build.ninja"];
  const { status, stdout, stderr } = spawnSync("cmake", how, { cwd: root, encoding: "utf8" });
  if (status !== 0) fail(cmakeSentence(`${stderr}\n${stdout}`));
}

/** Runs a command in sight. @returns its exit status. */
function statusOf(command, args) {
  return new Promise((resolve) => spawn(command, args, { stdio: "inherit" }).once("close", resolve));
}

/**
 * Compiles what the programs of each target are linked of, as many targets at once as there are processors: a libc is
 * compiled by one process, and most of an engine is one file. What fails here fails in the target's own build again, with
 * its reason.
 */
async function compileParts(targets) {
  const waiting = targets.map((target) => resolve(root, "build", target));
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

function buildTarget(target) {
  const folder = resolve(root, "build", target);
  const binary = resolve(folder, "nound");
  if (!existsSync(binary))
    console.log(
      `Building ${target} for the first time takes about a minute: a JavaScript engine and libc are compiled for it. ` +
        "Later builds take seconds.",
    );
  const { status } = spawnSync("cmake", ["--build", folder, ...what], { stdio: "inherit" });
  if (status !== 0) fail(`${target} could not be built; the reason stands above`);
  console.log(`${relative(process.cwd(), binary)}: ${Math.ceil(statSync(binary).size / 1000)} KB`);
}

const isOption = (argument) => argument.startsWith("-D") || argument === "--fresh";
const given = process.argv.slice(2);
const what = given.includes("--product") ? ["--target", "nound"] : [];
const options = given.filter(isOption);
const targets = given.filter((argument) => !isOption(argument) && argument !== "--product");
if (targets.length === 0) targets.push("host");
const known = targetNames();
for (const target of targets)
  if (!known.includes(target)) fail(`there is no target ${target}; there are: ${known.join(", ")}`);
checkTools();
for (const target of targets) configure(target, options);
if (targets.length > 1) await compileParts(targets);
for (const target of targets) buildTarget(target);
