/**
 * A device at a real broker, for minutes: `npm run test:broker [-- word ...]`, where a word chooses the cases whose
 * names hold it. `--minutes N` stops a broker for so long, and `--tls` encrypts all connections. Some cases run side by
 * side, because they wait most of the time; what measures time or memory runs before them, alone. Prints a table, and
 * leaves build/broker.json.
 */
import { writeFileSync } from "node:fs";
import { buildPrograms } from "../harness/build.ts";
import { installHostPackages } from "../harness/host-packages.ts";
import { mosquittoMissing } from "../harness/mosquitto.ts";
import { hasOwnNetwork, runInOwnNetwork } from "../hostile/network.ts";
import type { BrokerCase, Extent } from "./case.ts";
import { bursts } from "./cases/bursts.ts";
import { connectorKilled } from "./cases/connector-killed.ts";
import { hostileMessages } from "./cases/hostile-messages.ts";
import { hungTargets } from "./cases/hung-targets.ts";
import { kills } from "./cases/kills.ts";
import { malformed } from "./cases/malformed.ts";
import { pace } from "./cases/pace.ts";
import { real } from "./cases/real-brokers.ts";
import { reloaded } from "./cases/reloads.ts";
import { resolver } from "./cases/resolver.ts";
import { retained } from "./cases/retained.ts";
import { standstills } from "./cases/standstill.ts";
import { stopped } from "./cases/stopped.ts";
import { twins } from "./cases/twins.ts";
import { unreachable } from "./cases/unreachable.ts";
import { will } from "./cases/will.ts";
import { realBrokers } from "./real/real-broker.ts";
import { sealBrokers } from "./seal.ts";

const alone: readonly BrokerCase[] = [...pace, ...stopped, ...unreachable, ...bursts, ...hostileMessages];
/** The longest first. */
const abreast: readonly BrokerCase[] = [
  ...twins,
  ...real,
  ...retained,
  ...kills,
  ...will,
  ...hungTargets,
  ...connectorKilled,
  ...resolver,
  ...malformed,
  ...reloaded,
  ...standstills,
];

/** Cases that run side by side. With more, devices miss their own time limits for want of a processor. */
const atOnce = 3;

const given = process.argv.slice(2);
const isSealed = given.includes("--tls");
const words = given.filter((word) => word !== "--tls");
const at = words.indexOf("--minutes");
const minutes = at < 0 ? 0.5 : Number(words.splice(at, 2)[1]);
const extent: Extent = { stopped: minutes * 60_000 };

const chosen = (all: readonly BrokerCase[]): readonly BrokerCase[] =>
  all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const width = Math.max(...[...alone, ...abreast].map(({ name }) => name.length));

/** Fetches the brokers of the chosen cases, and says which cannot be had. The network of the cases reaches no registry. */
function fetchBrokers(): void {
  for (const broker of realBrokers) {
    if (broker.isThere() || chosen(real).every(({ name }) => !name.startsWith(broker.name))) continue;
    try {
      broker.fetch();
    } catch (error) {
      console.log(`${broker.name} cannot be had here: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** @returns whether the device did what it should. */
async function judge({ name, run }: BrokerCase): Promise<boolean> {
  const since = performance.now();
  const line = (seen: string): void => {
    const seconds = ((performance.now() - since) / 1_000).toFixed(1);
    console.log(`${name.padEnd(width)} ${seconds.padStart(6)} s  ${seen}`);
  };
  try {
    line(await run(extent));
    return true;
  } catch (error) {
    line(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

if (!(minutes > 0) || chosen([...alone, ...abreast]).length === 0) {
  console.error("test:broker: expects words of names of cases, --minutes with a number, and --tls.");
  process.exit(1);
}
installHostPackages({ ip: "iproute2", ...(mosquittoMissing() && { mosquitto: "mosquitto" }) }, "npm run test:broker");
buildPrograms();
if (!hasOwnNetwork()) fetchBrokers();
const elsewhere = runInOwnNetwork();
if (elsewhere !== undefined) process.exit(elsewhere);
if (isSealed) sealBrokers();
const results: boolean[] = [];
for (const one of chosen(alone)) results.push(await judge(one));
const waiting = [...chosen(abreast)];
const work = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await judge(next));
};
await Promise.all(Array.from({ length: atOnce }, work));
const passed = results.filter(Boolean).length;
const failed = results.length - passed;
writeFileSync("build/broker.json", JSON.stringify({ numPassedTests: passed, numFailedTests: failed }));
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
