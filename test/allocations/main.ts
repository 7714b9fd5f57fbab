/**
 * Fails every allocation once: `npm run test:allocations [-- --every K]`. Builds test/allocations/allocations.c with
 * sanitizers, and runs as many of it at once as there are processors, each with its part of the points. With
 * `--every K`, each K-th allocation fails.
 */
import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { readOptions } from "../command-line.ts";

const help = "npm run test:allocations [-- --every K]: fails each K-th allocation, each unless said.\n";
const { every = "1" } = readOptions("test:allocations", help, { every: { type: "string" } });
if (!/^[1-9]\d*$/.test(every)) {
  console.error("test:allocations: --every takes a whole number above 0");
  process.exit(2);
}
if (spawnSync("node", ["tools/build/build.mjs", "asan", "--part=nound-allocations"], { stdio: "inherit" }).status !== 0)
  process.exit(1);
const parts = availableParallelism();

interface Sums {
  readonly points: number;
  readonly known: number;
  readonly defects: number;
}

/** Runs a part. @returns what it came to, undefined where it did not come to its end. */
function run(part: number): Promise<Sums | undefined> {
  return new Promise((resolve) => {
    const child = spawn("build/asan/nound-allocations", ["--every", every, "--part", `${part}/${parts}`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("latin1").on("data", (text: string) => {
      output += text;
      process.stdout.write(text);
    });
    child.once("close", () => {
      const line = /^(\d+) points, (\d+) known faults of the engine, (\d+) defects$/m.exec(output);
      const [points = 0, known = 0, defects = 0] = line?.slice(1).map(Number) ?? [];
      resolve(line === null ? undefined : { points, known, defects });
    });
  });
}

const results = await Promise.all(Array.from({ length: parts }, (_, part) => run(part)));
const sum = (of: keyof Sums) => results.reduce((total, result) => total + (result?.[of] ?? 0), 0);
console.log(`${sum("points")} failing points, ${sum("known")} known faults of the engine, ${sum("defects")} defects`);
process.exitCode = results.every((result) => result?.defects === 0) ? 0 : 1;
