/**
 * `npm start [-- OPTION...]`: serves the demonstration, or a configuration (`npm start -- --config nound.json`), on
 * simulated hardware. It builds only what that needs, by the system's compiler: no TLS, no pins, no C library, and an
 * engine that is not optimized.
 */

import "./node-version.mjs";
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { announceFirstBuild, buildFolder, checkTools, configure, demonstration, fail } from "./configuration.mjs";

const program = resolve(buildFolder(demonstration), "nound");

checkTools([demonstration]);
if (!existsSync(program)) announceFirstBuild(demonstration);
configure(demonstration, []);
// Without a mistake, nobody needs to see what is compiled.
const { status, stdout } = spawnSync("cmake", ["--build", buildFolder(demonstration), "--target", "nound"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
if (status !== 0) {
  console.error(stdout);
  fail("it could not be built; the reason is above");
}
const options = process.argv.slice(2);
// The demonstration says where it is; a configuration is served in silence, unless its `log` says otherwise.
if (options.includes("--config") && !options.includes("--check")) {
  const { stdout } = spawnSync(program, ["--simulate", "--check", ...options], { encoding: "utf8" });
  const [, what] = /: (\d+ nouns?.*?, listens on [^;]*);/.exec(stdout) ?? [];
  if (what !== undefined) console.log(`nound: ${what}, with simulated hardware. Ctrl-C ends it`);
}
const served = spawn(program, ["--simulate", ...options], { stdio: "inherit" });
// The terminal sends Ctrl-C to both.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => served.kill(signal));
served.once("exit", (code) => process.exit(code ?? 1));
