/**
 * `npm test [-- ARGUMENT...]`: the suites that need no other hardware, one after the other, with an estimate before
 * each. All of them run, whatever an earlier one did. The last line is the sum. ARGUMENT is one of vitest.
 */

import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { checkTools, fail } from "./configuration.mjs";
import { missingPackages } from "./packages.mjs";
import { missingForTests, runsPrograms } from "./programs.mjs";
import { sumOf } from "./sum.mjs";

const given = process.argv.slice(2);
const root = resolve(import.meta.dirname, "../..");
const reports = resolve(root, "build/test");

/** Each suite with the minutes that it takes on two quiet processors, the builds included. */
const suites = { unit: 1, examples: 0.1, packaging: 1.2, e2e: 4 };

/** Runs a suite. @returns its report; undefined if it did not get as far as that. */
function run(suite) {
  const file = resolve(reports, `${suite}.json`);
  const options = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  // A test that ends without having compared or awaited anything fails: it has returned early.
  options.push("--expect.requireAssertions");
  // Words choose files: a suite may have none of them.
  if (given.length > 0) options.push("--passWithNoTests");
  const vitest = ["vitest", "run", "--project", suite, ...options, ...given];
  const { status } = spawnSync("npx", vitest, { cwd: root, stdio: "inherit" });
  return { suite, status, report: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined };
}

const total = Math.ceil(Object.values(suites).reduce((sum, minutes) => sum + minutes));
console.log(`nound: ${Object.keys(suites).join(", ")}: about ${total} minutes on two quiet processors.`);
const missing = missingForTests();
if (missing.length > 0)
  console.log(`nound: not installed, so that their tests are skipped by name: ${missing.join(", ")}.`);
// Tests write programs there and start them. A long path has no room for the name of a socket.
const folder = [tmpdir(), "/var/tmp"].find(runsPrograms);
if (folder === undefined)
  fail(`no program runs in ${tmpdir()} or in /var/tmp: set TMPDIR to a folder with a short path`);
if (folder !== tmpdir()) console.log(`nound: no program runs in ${tmpdir()}, so the tests write to ${folder}`);
process.env.TMPDIR = folder;
// What every suite needs, before the first of them.
const lacking = missingPackages("test");
if (lacking !== undefined) fail(`${Object.keys(suites).join(", ")} are skipped: ${lacking}`);
checkTools(["host"]);

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const results = [];
for (const [index, [suite, minutes]] of Object.entries(suites).entries()) {
  const time = minutes < 1 ? "less than a minute" : `about ${Math.ceil(minutes)} min`;
  console.log(`nound: suite ${index + 1} of ${Object.keys(suites).length}, ${suite}: ${time}`);
  results.push(run(suite));
}
const { sentence, hasFailed } = sumOf(results);
console.log(sentence);
process.exitCode = hasFailed ? 1 : 0;
