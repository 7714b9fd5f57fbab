/** The benchmark: `npm run bench`. See docs/dev/performance.md. */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, loadavg, release } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { hasBrowser, measureFirstTile } from "./first-tile.ts";
import { measureGrowth } from "./growth.ts";
import { countInstructions } from "./instructions.ts";
import { measureProcesses, measureRequests } from "./measurement.ts";
import { measurePeers } from "./peers/measure.ts";
import { measureReaction, missingForReaction } from "./reaction.ts";
import { loadCpu } from "./running-server.ts";
import { findServers } from "./servers.ts";
import { measureStreams } from "./streams.ts";
import { measureTls } from "./tls.ts";
import { findProgram, pinThisProgram } from "./tools.ts";
import { timedWorkloads } from "./workloads.ts";

const helpText = `Usage: npm run bench [-- --instructions [WORKLOAD...] | --growth [NOUN...] | --reaction | --page
                       | --tls | --peers]

Compares nound with the floor, libmicrohttpd and nginx, and with Node, in eight minutes. The servers run on processor 0
and the load generator on processor 1.

  --instructions  only count nound's instructions, of the workloads that are named (get, put-pin, ...) or of all;
                  other work on the machine does no harm
  --growth        only measure what one more noun costs: of each that is named (switch, output, guard, rule, schedule,
                  sensor), or of all
  --reaction      only measure the time from an edge to an output, a stream and a broker, on an emulated board;
                  NOUND_MYGPIOD_ARMV7 names myGPIOd for it
  --page          only measure the time to the first tile of the page, in Debian's Chromium
  --tls           only measure encrypted connections, beside those of nginx
  --peers         install what people use instead into build/peers, and measure it;
                  NOUND_MYGPIOD names a folder with myGPIOd's sources
  --help          print this

NOUND_BUILD_DIR names another build folder than build/host.
`;

/** Ends where a program is missing. */
function need(programs: { readonly [program: string]: string }): void {
  const missing = Object.entries(programs).filter(([program]) => findProgram(program) === undefined);
  if (missing.length === 0) return;
  const [names, packages] = [0, 1].map((at) => missing.map((one) => one[at]).join(" "));
  throw new Error(`${names} not installed; on Debian: apt-get install ${packages}`);
}

/** Shows what is measured at the moment, on one line that is written over; nothing where nobody looks. */
function showProgress(step: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${step}`);
}

function print(title: string, text: string): void {
  showProgress("");
  console.log(`${title}\n\n${text}`);
}

/** Reads the command line. A workload that is named where all are measured is an error. */
function readCommandLine() {
  const flag = { type: "boolean", default: false } as const;
  const options = { instructions: flag, growth: flag, reaction: flag, page: flag, tls: flag, peers: flag, help: flag };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (positionals.length > 0 && !values.instructions && !values.growth) {
    throw new Error("names are for --instructions and --growth only");
  }
  return { ...values, names: positionals };
}

async function run(scratch: string): Promise<void> {
  const options = readCommandLine();
  if (options.help) return void process.stdout.write(helpText);
  const instructions = async (names: readonly string[]): Promise<void> => {
    const nound = findServers(scratch).find(({ name }) => name === "nound");
    if (nound === undefined) return;
    print(
      "Instructions of nound for a request, the kernel's apart:",
      await countInstructions(nound, scratch, showProgress, names),
    );
  };
  const reaction = async () => print("Reaction:", await measureReaction(scratch, showProgress));
  if (options.reaction) {
    const missing = missingForReaction();
    if (missing !== undefined) throw new Error(`${missing} is missing`);
    return await reaction();
  }
  if (!options.page) need({ valgrind: "valgrind" });
  need({ setpriv: "util-linux" });
  if (options.instructions) return await instructions(options.names);
  const page = async (): Promise<void> => {
    const nound = findServers(scratch).find(({ name }) => name === "nound");
    if (nound) print("The page:", await measureFirstTile(nound, scratch, showProgress));
  };
  if (options.page) {
    need({ taskset: "util-linux", ...(hasBrowser ? {} : { chromium: "chromium" }) });
    return await page();
  }
  need({ wrk: "wrk", taskset: "util-linux" });
  if (availableParallelism() < 2) throw new Error("a server and the load generator need a processor each");
  if (options.peers) return print("What people use instead:", await measurePeers(scratch));
  // Else it would disturb the servers when its timers fire.
  pinThisProgram(loadCpu);
  const servers = findServers(scratch);
  const load = loadavg()[0]?.toFixed(2);
  const encrypted = async () => print("Over TLS:", await measureTls(servers, scratch, showProgress));
  if (options.tls) return await encrypted();
  const growth = async () => {
    const [nound] = servers.filter(({ name }) => name === "nound");
    if (nound) print("One more noun:", await measureGrowth(nound, scratch, showProgress, options.names));
  };
  if (options.growth) return await growth();
  print(`${new Date().toISOString().slice(0, 10)}: ${cpus()[0]?.model.trim()}, Linux ${release()}, load ${load}`, "");
  print("Processor time of the server for a request, in µs:", await measureRequests(servers, scratch, showProgress));
  print("The processes:", await measureProcesses(servers, scratch, showProgress));
  print("1,000 streams of events:", await measureStreams(servers, scratch, showProgress));
  await growth();
  const missing = missingForReaction();
  if (missing === undefined) await reaction();
  else print("Reaction:", `Not measured: ${missing} is missing.\n`);
  if (hasBrowser) await page();
  if (servers.some(({ name }) => name === "nginx")) await encrypted();
  await instructions(timedWorkloads.map(({ name }) => name));
}

const scratch = mkdtempSync(resolve("build/bench-"));
try {
  await run(scratch);
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
// Idle connections are still open.
process.exit();
