/** A broker that is stopped (SIGSTOP) while a noun changes fifty times a second. */
import { setTimeout as delay } from "node:timers/promises";
import { memoryNotJudged } from "../../harness/environment.ts";
import { eventually } from "../../harness/eventually.ts";
import { residentMemory } from "../../harness/process-status.ts";
import { type BrokerCase, type Extent, must } from "../case.ts";
import { ask, isConnected, Site } from "../site.ts";

/** ms between two changes. */
const period = 20;
/** kB that the resident memory may grow by. */
const growth = 200;

const nouns = { note: { kind: "value", default: { n: -1 } }, led: { kind: "switch", key: "led" } };

/** Changes a noun for a time. @returns the median of the times that a request takes, in ms. */
async function changeFor(site: Site, time: number, numbers: { next: number }): Promise<number> {
  const took: number[] = [];
  for (const end = performance.now() + time; performance.now() < end; ) {
    const since = performance.now();
    await ask(site.device, "note", { n: numbers.next++ });
    took.push(performance.now() - since);
    await delay(Math.max(0, since + period - performance.now()));
  }
  return took.toSorted((one, other) => one - other)[Math.floor(took.length / 2)] ?? Number.NaN;
}

async function run({ stopped: time }: Extent): Promise<string> {
  const site = await Site.start({ nouns });
  const numbers = { next: 0 };
  try {
    await eventually("the device connects", () => isConnected(site.device));
    const usual = await changeFor(site, 10_000, numbers);
    const before = residentMemory(site.device.pid);
    site.broker.signal("SIGSTOP");
    const meanwhile = await changeFor(site, time, numbers);
    const grown = residentMemory(site.device.pid) - before;
    site.broker.signal("SIGCONT");
    must(memoryNotJudged !== undefined || grown <= growth, `The resident memory has grown by ${grown} kB.`);
    // Half as much again, and half a millisecond, is the machine's.
    must(meanwhile <= 1.5 * usual + 0.5, `A request takes ${meanwhile} ms instead of ${usual} ms.`);
    await site.agrees();
    await site.end();
    const [first, then] = [usual, meanwhile].map((median) => median.toFixed(2));
    return `${time / 1_000} s: ${grown >= 0 ? "+" : ""}${grown} kB; a PUT takes ${first} ms before and ${then} ms then`;
  } finally {
    site.broker.signal("SIGCONT");
    site.device.kill();
    await site.broker.stop("SIGKILL");
  }
}

/** The case. */
export const stopped: readonly BrokerCase[] = [{ name: "a stopped broker", run }];
