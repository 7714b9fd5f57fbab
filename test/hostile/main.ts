/**
 * Attacks the built binary, a case after the other: `npm run test:hostile [-- word ...]`, where a word chooses the
 * cases whose names hold it, and `--quick` the short ones, without judging the time. Prints a table, and leaves
 * build/hostile.json for everyone who counts.
 */
import { writeFileSync } from "node:fs";
import { buildPrograms } from "../harness/build.ts";
import { installHostPackages } from "../harness/host-packages.ts";
import type { HostileCase, Outcome } from "./case.ts";
import { documents } from "./cases/documents.ts";
import { exhaustion } from "./cases/exhaustion.ts";
import { floods } from "./cases/floods.ts";
import { held } from "./cases/held.ts";
import { stalledLog } from "./cases/log.ts";
import { longBodies } from "./cases/long-bodies.ts";
import { memory } from "./cases/memory.ts";
import { memoryEnd } from "./cases/memory-end.ts";
import { mirror } from "./cases/mirror.ts";
import { modbus } from "./cases/modbus.ts";
import { nonAscii } from "./cases/non-ascii.ts";
import { failingNouns } from "./cases/nouns.ts";
import { oneSocket } from "./cases/one-socket.ts";
import { otherUsers } from "./cases/other-users.ts";
import { reloadsUnderLoad } from "./cases/reloads.ts";
import { rules } from "./cases/rules.ts";
import { slowClients } from "./cases/slow-clients.ts";
import { states } from "./cases/states.ts";
import { streams } from "./cases/streams.ts";
import { timeAndSignals } from "./cases/time-and-signals.ts";
import { tls } from "./cases/tls.ts";
import { tlsServers } from "./cases/tls-servers.ts";
import { unfinishedBodies } from "./cases/unfinished-bodies.ts";
import { webhook } from "./cases/webhook.ts";
import { runInOwnNetwork } from "./network.ts";
import { judgesTime } from "./time.ts";

const cases: readonly HostileCase[] = [
  ...slowClients,
  ...held,
  ...floods,
  ...documents,
  ...exhaustion,
  ...failingNouns,
  ...memory,
  ...longBodies,
  ...memoryEnd,
  ...unfinishedBodies,
  ...states,
  ...nonAscii,
  ...oneSocket,
  ...stalledLog,
  ...rules,
  ...webhook,
  ...mirror,
  ...modbus,
  ...otherUsers,
  ...streams,
  ...timeAndSignals,
  ...reloadsUnderLoad,
  ...tls,
  ...tlsServers,
];

/** The cases of `--quick`: each takes seconds, and what it judges is the same on a machine that has other work. */
const quick: readonly string[] = [
  "connections reset at any byte of a request",
  "half-open connections, never closed",
  "connections with random bytes",
  "pipelined requests, ten times 10,000",
  "streams opened and reset",
  "connections when there are no descriptors left",
  "bodies of 900 KB when 1 MB of memory is left",
  "states to store when no file may grow",
  "requests to nouns that throw",
  "requests to nouns that return nonsense",
  "requests to a noun that never answers",
  "operations that take all memory",
  "pipelined GETs of 240 KB that are not ASCII",
  "requests while nobody reads the debug log",
  "signals in the middle of requests",
  ...tlsServers.map(({ name }) => name).filter((name) => !name.includes("nothing read")),
];

/** @returns the cases that the command line asks for. @throws Error if a case of `--quick` is none. */
function chooseCases(words: readonly string[]): readonly HostileCase[] {
  if (words.length > 0) return cases.filter(({ name }) => words.some((word) => name.includes(word)));
  if (judgesTime) return cases;
  return quick.map((wanted) => {
    const found = cases.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`There is no case ${wanted}.`);
    return found;
  });
}

const words = process.argv.slice(2).filter((word) => word !== "--quick");
const chosen = chooseCases(words);

const width = Math.max(...cases.map(({ name }) => name.length));

function line(name: string, tried: string, refused: string, seconds: string, survived: string): void {
  console.log(`${name.padEnd(width)} ${tried.padStart(8)} ${refused.padStart(8)} ${seconds.padStart(5)}  ${survived}`);
}

/** A number of the table; a dash if it is unknown. */
function cell(value: number): string {
  return Number.isNaN(value) ? "-" : value.toLocaleString("en");
}

/** @returns whether the service stood it. */
async function judge({ name, run }: HostileCase): Promise<boolean> {
  const since = performance.now();
  const seconds = (): string => ((performance.now() - since) / 1_000).toFixed(1);
  try {
    const { tried, refused, survived }: Outcome = await run();
    line(name, cell(tried), cell(refused), seconds(), survived);
    return true;
  } catch (error) {
    line(name, "", "", seconds(), `FAILED: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

if (chosen.length === 0) {
  console.error(`test:hostile: no case's name holds ${words.join(" or ")}.`);
  process.exit(1);
}
installHostPackages(
  judgesTime ? { slowhttptest: "slowhttptest", ip: "iproute2" } : { ip: "iproute2" },
  "npm run test:hostile",
);
buildPrograms();
const elsewhere = runInOwnNetwork();
if (elsewhere !== undefined) process.exit(elsewhere);
line("case", "tried", "refused", "s", "survived");
let passed = 0;
for (const one of chosen) passed += (await judge(one)) ? 1 : 0;
const failed = chosen.length - passed;
writeFileSync("build/hostile.json", JSON.stringify({ numPassedTests: passed, numFailedTests: failed }));
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
