/**
 * `npm start [-- OPTION...]`: serves the demonstration, or a configuration (`npm start -- --config nound.json`), on
 * simulated hardware. It builds only what that needs, by the system's compiler: no TLS, no pins, no C library.
 */

import "./node-version.mjs";
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { buildFolder, checkTools, configure, fail } from "./configuration.mjs";

const target = "demonstration";
const program = resolve(buildFolder(target), "nound");

checkTools([target]);
if (!existsSync(program)) {
  console.log("nound: the first build compiles a JavaScript engine: 20 s on two quiet processors. Ctrl-C ends it");
}
configure(target, []);
// Without a mistake, nobody needs to see what is compiled.
const { status, stdout } = spawnSync("cmake", ["--build", buildFolder(target), "--target", "nound"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
if (status !== 0) {
  console.error(stdout);
  fail("it could not be built; the reason is above");
}
const served = spawn(program, ["--simulate", ...process.argv.slice(2)], { stdio: "inherit" });
// The terminal sends Ctrl-C to both.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => served.kill(signal));
served.once("exit", (code) => process.exit(code ?? 1));
