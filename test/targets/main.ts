/**
 * Builds every target, prints how large the binaries are, and runs their tests and end-to-end tests on each under qemu:
 * `npm run test:targets [-- target ...]`. The whole end-to-end suite runs on the targets that are named, on all with
 * `--whole`, and else on two that differ the most; the others answer a few requests of every kind. With
 * `--smoke`, all do only that. The log of a target's suite is build/targets/<target>.log, printed when it fails; the
 * reports are beside it.
 */
import { spawn, spawnSync } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { sumOf } from "../../tools/build/sum.mjs";
import { selectedTargets, type Target } from "./targets.ts";

/** How many suites run at once, each by two workers: three quarters of the time they wait. */
const suitesAtOnce = 4;

/** Where the whole suite runs, except with `--smoke`: most devices have 32-bit ARM, and mips is big-endian. */
const wholeSuite: ReadonlySet<string> = new Set(["armv7", "mips"]);

/** The end-to-end test files of the others: plain and encrypted requests, and an encrypted broker. */
const smoke = ["e2e/wire.test", "e2e/signals", "e2e/tls-connections", "e2e/https.test"];

/** The further files on a big-endian target: the texts of the whole wire contract. */
const bigEndianSmoke = ["e2e/wire-vectors", "e2e/state-corpus", "e2e/utf8"];

/** The ports of each suite, from the first one on. All are below those that the kernel gives to clients, from 32768 on. */
const portsOfSuite = 5_000;
const firstPortOfAll = Number(process.env["NOUND_FIRST_PORT"] ?? 10_000);

/** How much slower than the host a target is expected to be: the emulator three or four times, its neighbours twice. */
const slowness = "8";

/** Where the logs and reports are. */
const reports = "build/targets";

const vitest = ["vitest", "run", "--reporter=default", "--reporter=json"];

/** Runs a command in sight. @returns whether it succeeded. */
function succeeds(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): boolean {
  return spawnSync(command, args, { stdio: "inherit", env: { ...process.env, ...environment } }).status === 0;
}

function printSizes(targets: readonly Target[]): void {
  console.log("\ntarget       KB  at most");
  for (const { name, budget } of targets) {
    const size = Math.ceil(statSync(`build/${name}/nound`).size / 1_000);
    console.log(`${name.padEnd(9)}${String(size).padStart(6)}${String(budget).padStart(9)}`);
  }
}

/**
 * Runs end-to-end tests on a target, listening on ports from `firstPort` on.
 * @param files parts of the names of the test files; all of them if there are none.
 * @returns whether they succeeded.
 */
async function runSuite(
  { name, emulator, processors }: Target,
  firstPort: number,
  files: readonly string[],
): Promise<boolean> {
  const [log, report] = [`${reports}/${name}.log`, `${reports}/${name}.json`];
  const since = performance.now();
  const child = spawn("npx", [...vitest, "--project", "e2e", `--outputFile.json=${report}`, ...files], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      NO_COLOR: "1",
      NOUND_BUILD_DIR: `build/${name}`,
      NOUND_RUNNER: `${emulator} -cpu ${processors[0]}`,
      NOUND_SLOWNESS: slowness,
      NOUND_FIRST_PORT: String(firstPort),
    },
  });
  const file = createWriteStream(log);
  child.stdout.pipe(file, { end: false });
  child.stderr.pipe(file, { end: false });
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  await new Promise<void>((resolve) => file.end(resolve));
  const seconds = Math.round((performance.now() - since) / 1_000);
  const read = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined;
  console.log(`${sumOf([{ suite: name, status, report: read }]).sentence}, ${seconds} s`);
  if (status !== 0) {
    console.log(readFileSync(log, "utf8"));
  }
  return status === 0;
}

async function runSuites(targets: readonly Target[], isWhole: (name: string) => boolean): Promise<boolean> {
  // The long ones first.
  const waiting = [...targets].sort((a, b) => Number(isWhole(b.name)) - Number(isWhole(a.name)));
  let passed = true;
  const worker = async (firstPort: number): Promise<void> => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      const files = target.bigEndian ? [...smoke, ...bigEndianSmoke] : smoke;
      passed = (await runSuite(target, firstPort, isWhole(target.name) ? [] : files)) && passed;
    }
  };
  await Promise.all(Array.from({ length: suitesAtOnce }, (_, index) => worker(firstPortOfAll + portsOfSuite * index)));
  return passed;
}

/** What the command line names, or all. Ends the process where it names what is no target. */
function namedTargets(): readonly Target[] {
  try {
    return selectedTargets(named);
  } catch (error) {
    console.error(`test:targets: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(2);
  }
}

const named = process.argv.slice(2).filter((word) => word !== "--whole" && word !== "--smoke");
const isWhole = (name: string): boolean =>
  !process.argv.includes("--smoke") && (named.length > 0 || process.argv.includes("--whole") || wholeSuite.has(name));
const targets = namedTargets();
const names = targets.map(({ name }) => name);
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
if (!succeeds("node", ["tools/build/build.mjs", "--part=nound-target-tests", ...names])) {
  process.exit(1);
}
printSizes(targets);
const judged = succeeds("npx", [...vitest, "--project", "targets", `--outputFile.json=${reports}/binaries.json`], {
  NOUND_TARGETS: names.join(" "),
});
console.log(`\nThe end-to-end tests on each target, ${suitesAtOnce} at once:`);
const passed = await runSuites(targets, isWhole);
process.exitCode = judged && passed ? 0 : 1;
