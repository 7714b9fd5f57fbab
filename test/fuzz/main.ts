/**
 * Fuzzes nound: `npm run fuzz [-- --seconds N]`, a minute unless said; with `--packets`, the reader of a broker's
 * packets; with `--tls`, the handshakes, records and certificates of both ends of TLS; with `--processes`, the messages
 * between processes. Needs clang, which is installed by apt where it is missing.
 *
 * The inputs to start from are those of test/fuzz/corpus.txt and the requests of the end-to-end suite. What is found in
 * addition stays in build/fuzz/corpus for the next run; `--keep` writes what of all that covers anything new to
 * test/fuzz/corpus.txt. An input that crashes is left in build/fuzz/found.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { readOptions } from "../command-line.ts";
import { installPackages } from "../harness/host-packages.ts";
import { packCorpus, unpackCorpus } from "./corpus.ts";
import { writePacketSeeds } from "./packet-seeds.ts";
import { writeProcessSeeds } from "./process-seeds.ts";
import { writeSeeds } from "./seeds.ts";
import { writeTlsSeeds } from "./tls-seeds.ts";

/** The programs for packets, TLS and processes have folders of their own. Their seeds alone are kept in the repository. */
const part = (["packets", "tls", "processes"] as const).find((option) => process.argv.includes(`--${option}`));
const name = part === undefined ? "nound-fuzz" : `nound-fuzz-${part}`;
const program = `build/fuzz/${name}`;
const folder = part === undefined ? "build/fuzz" : `build/fuzz/${part}`;
const [grown, kept, seeds, found] = [`${folder}/corpus`, `${folder}/kept`, `${folder}/seeds`, `${folder}/found/`];

/** What --tls and --processes try, each for the whole time: the choices of fuzz-tls.c and fuzz-processes.c. */
const ends = {
  tls: { "certificates of a server": 2, "records from a server": 0, "records from a client": 1 },
  processes: {
    "a client's connection to the acceptor": 0,
    "the nouns to the acceptor": 1,
    "the nouns to the keeper": 2,
    "the nouns to the connector": 3,
    "a connection to the connector": 4,
    "a resolver to the connector": 5,
  },
} as const;

/**
 * Longer inputs say nothing that shorter ones do not: a head and a body have 4 KiB at most, and the narrow server less.
 */
const longestInput = 5_000;

function fail(sentence: string): never {
  console.error(`fuzz: ${sentence}`);
  process.exit(1);
}

function runs(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "inherit" }).status === 0;
}

/** Whether clang and its libFuzzer are there. */
function hasFuzzer(): boolean {
  const library = spawnSync("clang", ["-print-file-name=libclang_rt.fuzzer-x86_64.a"], { encoding: "utf8" });
  const folder = spawnSync("clang", ["-print-runtime-dir"], { encoding: "utf8" });
  if (library.status !== 0) return false;
  return existsSync(library.stdout.trim()) || existsSync(`${folder.stdout.trim()}/libclang_rt.fuzzer-x86_64.a`);
}

function installClang(): void {
  if (hasFuzzer()) return;
  try {
    installPackages(["clang", "libclang-rt-dev"], "The fuzzer");
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
  if (!hasFuzzer()) fail("clang with libFuzzer is needed, for the processor x86_64.");
}

/**
 * Runs the fuzzer and shows what it says, but for the line of each new input.
 * @param choice of fuzz-tls.c or fuzz-processes.c, the only one that is tried.
 * @returns its status and output.
 */
async function fuzz(
  args: readonly string[],
  choice?: number,
): Promise<{ readonly status: number | null; readonly output: string }> {
  const env = choice === undefined ? process.env : { ...process.env, NOUND_FUZZ_CHOICE: String(choice) };
  const child = spawn(program, args, { stdio: ["ignore", "inherit", "pipe"], env });
  let output = "";
  child.stderr.on("data", (bytes: Buffer) => {
    output += bytes.toString("latin1");
  });
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { status, output };
}

/** The number behind a name in libFuzzer's output; the last one that matches. */
function figure(output: string, pattern: RegExp): number {
  return Number([...output.matchAll(pattern)].at(-1)?.[1] ?? 0);
}

/** @returns whether nothing was found in so many seconds. @param choice as for `fuzz`. */
async function explore(seconds: number, choice?: number): Promise<boolean> {
  const before = new Set(existsSync(found) ? readdirSync(found) : []);
  const since = performance.now();
  const options = [
    `-max_total_time=${seconds}`,
    `-max_len=${longestInput}`,
    "-timeout=20",
    "-detect_leaks=0", // the engine's own account and LeakSanitizer judge the whole run at its end
    "-print_final_stats=1",
    ...(part === undefined ? ["-dict=test/fuzz/http.dict"] : []),
    `-artifact_prefix=${found}`,
    ...[grown, kept, seeds],
  ];
  const { status, output } = await fuzz(options, choice);
  const crashes = readdirSync(found).filter((name) => !before.has(name));
  const passed = status === 0 && crashes.length === 0;
  if (!passed) console.log(output.split("\n").slice(-120).join("\n"));
  const counted = (value: number): string => value.toLocaleString("en");
  console.log(
    `fuzz: ${counted(figure(output, /number_of_executed_units:\s+(\d+)/g))} executions in ` +
      `${Math.round((performance.now() - since) / 1_000)} s, ` +
      `${counted((output.match(/^#\d+\s+NEW /gm) ?? []).length)} inputs of new coverage ` +
      `(features ${counted(figure(output, /INITED cov: \d+ ft: (\d+)/g))} -> ` +
      `${counted(figure(output, /cov: \d+ ft: (\d+)/g))}), ${crashes.length} ` +
      `crashes${!passed && crashes.length === 0 ? `; failed at the end, with status ${status}: see above` : ""}`,
  );
  for (const name of crashes)
    console.log(
      `  ${found}${name}: run \`${program} ${found}${name}\` to see it; once it is fixed, move it ` +
        `to ${kept}/ under a name that says what it was` +
        (part === undefined ? ", and run `npm run fuzz -- --keep`." : "."),
    );
  return passed;
}

/** Explores each of the ends. */
async function exploreEnds(part: keyof typeof ends, seconds: number): Promise<boolean> {
  const passed: boolean[] = [];
  for (const [end, choice] of Object.entries(ends[part])) {
    console.log(`fuzz: ${end}`);
    passed.push(await explore(seconds, choice));
  }
  return passed.every(Boolean);
}

/** Takes into the repository the inputs without which some edge or jump would not be covered. */
async function keep(): Promise<boolean> {
  const merged = "build/fuzz/merged";
  rmSync(merged, { recursive: true, force: true });
  mkdirSync(merged);
  const { status, output } = await fuzz(["-merge=1", "-use_counters=0", merged, kept, seeds, grown]);
  if (status !== 0) {
    console.log(output);
    return false;
  }
  // What has a name of its own was a crash once: it stays, whatever it covers.
  for (const name of readdirSync(kept)) if (/^[0-9a-f]{40}$/.test(name)) rmSync(`${kept}/${name}`);
  for (const name of readdirSync(merged)) renameSync(`${merged}/${name}`, `${kept}/${name}`);
  packCorpus(kept);
  console.log(`fuzz: ${readdirSync(kept).length} inputs are kept`);
  return true;
}

const helpText = `Usage: npm run fuzz [-- OPTION...]

Sends bytes that nobody has thought of to nound, and keeps those that reach code no other has reached.

  --seconds N  for so long: 60 unless said; with --tls and --processes, so long for each of their ends
  --packets    sends them as a broker to the reader of packets
  --tls        sends them as a server, as a client and as a certificate
  --processes  sends them from one process of nound to another one
  --keep       write what covers anything new to test/fuzz/corpus.txt, and end
  --help       print this
`;

const values = readOptions("fuzz", helpText, {
  seconds: { type: "string", default: "60" },
  packets: { type: "boolean", default: false },
  tls: { type: "boolean", default: false },
  processes: { type: "boolean", default: false },
  keep: { type: "boolean", default: false },
});
const seconds = Number(values.seconds);
if (!(Number.isInteger(seconds) && seconds > 0)) fail("--seconds expects a whole number, such as 60.");
installClang();
if (!runs("node", "tools/build/build.mjs", "fuzz", `--part=${name}`)) process.exit(1);
for (const one of [grown, kept, found]) mkdirSync(one, { recursive: true });
rmSync(seeds, { recursive: true, force: true });
if (part === "packets") writePacketSeeds(seeds);
else if (part === "tls") writeTlsSeeds(program, folder, seeds);
else if (part === "processes") writeProcessSeeds(seeds);
else {
  writeSeeds(seeds);
  unpackCorpus(kept);
}
if (values.keep && part !== undefined) fail("--keep is for the inputs of nound itself.");
const run = () => (part === "tls" || part === "processes" ? exploreEnds(part, seconds) : explore(seconds));
process.exitCode = (values.keep ? await keep() : await run()) ? 0 : 1;
