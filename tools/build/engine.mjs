/**
 * Moves the pin of the engine: `npm run engine [-- FOLDER]`.
 *
 * Takes QuickJS-ng from a folder, or the newest of Debian's testing; prints which files differ from the pinned ones;
 * writes cmake/quickjs-ng.sha256; runs all tests with it. After that, a person reads the changes and commits. If a test
 * fails, the old pin is restored.
 */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fail } from "./configuration.mjs";

const root = resolve(import.meta.dirname, "../..");
const pinFile = resolve(root, "cmake/quickjs-ng.sha256");
const binary = resolve(root, "build/host/nound");

/** Returns the output of a command; ends the program if it fails. */
function output(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) fail(`${command} failed: ${stderr.trim()}`);
  return stdout;
}

/** The engine of Debian's testing, downloaded again. */
function debianEngine() {
  const folder = resolve(root, "build/downloads/quickjs-ng.candidate");
  rmSync(folder, { recursive: true, force: true });
  output("cmake", ["-D", `ENGINE=${folder}`, "-P", resolve(root, "cmake/DebianEngine.cmake")]);
  return folder;
}

/** The version and the hashes by file, of a text in the form of the pin. */
function parsed(text) {
  const [, version] = text.match(/^# quickjs-ng (\S+)/) ?? [];
  return {
    version,
    hashes: new Map([...text.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, hash, name]) => [name, hash])),
  };
}

/** How many lines were added to a file and taken out of it. */
function difference(from, to) {
  if (!existsSync(from)) return "";
  const { stdout } = spawnSync("git", ["diff", "--no-index", "--numstat", from, to], { encoding: "utf8" });
  const [added, removed] = stdout.split("\t");
  return removed === undefined ? "" : `: ${added} lines added, ${removed} taken out`;
}

/** Prints the differences of an engine. @returns whether there are any. */
function compare(before, after, folder) {
  const old = resolve(root, "build/downloads", `quickjs-ng-${before.version}`);
  console.log(`quickjs-ng ${before.version} is pinned; in ${folder} is ${after.version}.`);
  const names = [...new Set([...before.hashes.keys(), ...after.hashes.keys()])].sort();
  const changed = names.filter((name) => before.hashes.get(name) !== after.hashes.get(name));
  for (const name of changed) {
    if (!after.hashes.has(name)) console.log(`  ${name} is gone`);
    else if (!before.hashes.has(name)) console.log(`  ${name} is new`);
    else console.log(`  ${name}${difference(resolve(old, name), resolve(folder, name))}`);
  }
  if (before.version !== after.version)
    console.log(
      `What upstream changed: https://github.com/quickjs-ng/quickjs/compare/v${before.version}...v${after.version}`,
    );
  return changed.length > 0;
}

/** The size of the host's binary in bytes; undefined when it has not been built. */
function size() {
  return existsSync(binary) ? statSync(binary).size : undefined;
}

const [given, ...more] = process.argv.slice(2);
if (given?.startsWith("-") || more.length > 0)
  fail("run npm run engine, or npm run engine -- FOLDER with an engine's source");
const folder = given === undefined ? debianEngine() : resolve(given);
const listed = output("cmake", ["-D", `FOLDER=${folder}`, "-P", resolve(root, "cmake/EngineFiles.cmake")]);
const pinned = readFileSync(pinFile, "utf8");
const after = parsed(listed);
if (!after.version) fail(`there is no source of QuickJS-ng in ${folder}`);
if (!compare(parsed(pinned), after, folder)) {
  console.log("It is the pinned engine. There is nothing to do.");
  process.exit(0);
}

const sizeBefore = size();
output("cmake", ["-E", "copy_directory", folder, resolve(root, "build/downloads", `quickjs-ng-${after.version}`)]);
writeFileSync(pinFile, listed);
for (const [command, ...args] of [
  ["bash", ".ci/run"],
  ["npm", "run", "test:all"],
])
  if (spawnSync(command, args, { cwd: root, stdio: "inherit" }).status !== 0) {
    writeFileSync(pinFile, pinned);
    fail(`with quickjs-ng ${after.version}, ${[command, ...args].join(" ")} failed; the pin is as it was`);
  }
console.log(
  `The pin is quickjs-ng ${after.version} now, and all tests passed. build/host/nound: ${sizeBefore} bytes ` +
    `before, ${size()} now.`,
);
console.log("Read what upstream changed, run `npm run bench`, then commit cmake/quickjs-ng.sha256.");
