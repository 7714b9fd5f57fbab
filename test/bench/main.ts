/** The benchmark: `npm run bench`. See docs/dev/performance.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { measureBroker } from "./broker.ts";
import { chartsOf } from "./charts.ts";
import { marks, withMeasurement } from "./document.ts";
import { countInstructions } from "./instructions.ts";
import { judgements } from "./judgement.ts";
import { full, measure, quick } from "./measurement.ts";
import { helpText, type Options, parseOptions } from "./options.ts";
import { measurePeers } from "./peers/main.ts";
import { drawPlot } from "./plot.ts";
import { instructionTable, report } from "./report.ts";
import type { Results } from "./results.ts";
import { findServers } from "./servers.ts";
import { measureTls } from "./tls.ts";
import { findProgram } from "./tools.ts";

const resultsFile = "build/bench.json";
const document = "docs/dev/performance.md";
const plot = "docs/dev/performance.svg";

/** Why nothing can be measured here, or undefined. */
function obstacle(): string | undefined {
  if (availableParallelism() < 2) {
    return "a server and the load generator need a processor each, and this machine has one";
  }
  const missing = [
    ["wrk", "wrk"],
    ["taskset", "util-linux"],
    ["setpriv", "util-linux"],
  ].filter(([program = ""]) => findProgram(program) === undefined);
  return missing.length === 0
    ? undefined
    : `${missing.map(([program]) => program).join(" and ")} not installed; ` +
        `on Debian: apt-get install ${missing.map(([, name]) => name).join(" ")}`;
}

/** Shows what is measured at the moment, on one line that is written over; nothing where nobody looks. */
function showProgress(step: string): void {
  if (process.stderr.isTTY) {
    process.stderr.write(`\r\x1b[K${step}`);
  }
}

function writeDocument(results: Results, text: string): void {
  const image = `![Processor time, memory and start of nound and of other servers](performance.svg)`;
  writeFileSync(plot, drawPlot(chartsOf(results), "nound compared with other servers; the tables have all figures"));
  writeFileSync(document, withMeasurement(readFileSync(document, "utf8"), `${image}\n\n${text}`));
}

/** Counts the instructions of some workloads, or of all. */
async function onlyCount(names: readonly string[], scratch: string): Promise<void> {
  const nound = findServers(scratch).servers.find(({ name }) => name === "nound");
  if (nound === undefined || findProgram("valgrind") === undefined) {
    throw new Error("valgrind is not installed; on Debian: apt-get install valgrind");
  }
  const counts = await countInstructions(nound, full.counted, scratch, showProgress, names);
  showProgress("");
  console.log(instructionTable(counts));
}

/** Measures encrypted connections. */
async function onlyTls({ document: writes }: Options, scratch: string): Promise<void> {
  const text = await measureTls(findServers(scratch).servers, scratch, showProgress);
  showProgress("");
  console.log(text);
  if (writes) {
    writeFileSync(document, withMeasurement(readFileSync(document, "utf8"), text, marks.tls));
  }
}

/**
 * Does something with a folder of its own, in the build folder: programs may not be run from the system's temporary one
 * everywhere.
 */
async function withScratch(act: (scratch: string) => Promise<void>): Promise<void> {
  const scratch = mkdtempSync(resolve("build/bench-"));
  try {
    await act(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function run(options: Options, scratch: string): Promise<void> {
  const results = await measure(options.quick ? quick : full, scratch, showProgress);
  showProgress("");
  const verdicts = judgements(results);
  writeFileSync(resultsFile, `${JSON.stringify({ ...results, judgements: verdicts }, undefined, 2)}\n`);
  const text = report(results);
  console.log(text);
  if (options.document) {
    writeDocument(results, text);
  }
  if (options.strict && verdicts.some(({ held }) => held !== true)) {
    process.exitCode = 1;
  }
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  const reason = obstacle();
  if (options.help) {
    process.stdout.write(helpText);
  } else if (options.instructions) {
    await withScratch((scratch) => onlyCount(options.workloads, scratch));
  } else if (reason !== undefined) {
    throw new Error(reason);
  } else if (options.broker) {
    await withScratch(async (scratch) => {
      const text = await measureBroker(findServers(scratch).servers, scratch, showProgress);
      showProgress("");
      console.log(text);
    });
  } else if (options.tls) {
    await withScratch((scratch) => onlyTls(options, scratch));
  } else if (options.peers) {
    await withScratch(measurePeers);
  } else {
    await withScratch((scratch) => run(options, scratch));
  }
}

try {
  await main();
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
// Idle connections are still open.
process.exit();
