/** Two rules that undo each other. The device serves clients as before, and its log is not filled. */

import { setTimeout as delay } from "node:timers/promises";
import { slowness } from "../../harness/environment.ts";
import { startNound } from "../../harness/nound-process.ts";
import { residentMemory } from "../../harness/process-status.ts";
import { nouns } from "../../wire/nouns.ts";
import { type HostileCase, type Outcome, warmUp } from "../case.ts";
import { HonestClient, judgeExperience } from "../honest-client.ts";
import { askOrdinarily, ordinaryRequests } from "../ordinary-requests.ts";

const seconds = 20;

/** Runs of one rule in a second. */
const mostRuns = 10;

/** kB that the resident memory may grow by: the first states, answers and lines of the log. */
const mostGrowth = 128;

const toggle = { kind: "switch", key: "on", values: [0, 1], default: 0 } as const;

async function run(): Promise<Outcome> {
  const nound = await startNound({
    log: "errors",
    nouns: {
      ...nouns,
      one: toggle,
      other: toggle,
      ping: { kind: "rule", when: { one: { on: { changes: true } } }, then: { "POST other": {} } },
      pong: { kind: "rule", when: { other: { on: { changes: true } } }, then: { "POST one": {} } },
    },
  });
  const ask = async (method: string, name: string): Promise<Record<string, number>> => {
    const headers = { "content-type": "application/json" };
    const init = method === "GET" ? { method } : { method, headers, body: "{}" };
    return (await (await fetch(`http://${nound.address}/${name}`, init)).json()) as Record<string, number>;
  };
  try {
    await warmUp(nound);
    await ask("POST", "one");
    await delay(1_000);
    const before = residentMemory(nound.pid);
    const manners = { interval: 20, mostMedian: 5 };
    const client = new HonestClient(nound, manners);
    const [begin, first] = [performance.now(), await Promise.all(["ping", "pong"].map((rule) => ask("GET", rule)))];
    await delay(seconds * 1_000 * slowness);
    const last = await Promise.all(["ping", "pong"].map((rule) => ask("GET", rule)));
    const time = (performance.now() - begin) / 1_000;
    const honest = judgeExperience(await client.stop(), manners);
    await askOrdinarily(nound.address, ordinaryRequests, 100);
    const growth = residentMemory(nound.pid) - before;
    const ran = last.map(({ runs = 0 }, index) => runs - (first[index]?.["runs"] ?? 0));
    if (ran.some((runs) => runs === 0 || runs > mostRuns * time + 1)) throw new Error(`They ran ${ran} times.`);
    if (growth > mostGrowth) throw new Error(`The resident memory grew by ${growth} kB.`);
    const { status, stderr } = await nound.stop();
    const lines = stderr.split("\n").filter((line) => line.includes("runs ten times a second"));
    if (status !== 0 || lines.length > 2) throw new Error(`The server ended with ${status} and said: ${stderr}`);
    const rate = Math.max(...ran) / time;
    const survived = `${honest}; ${rate.toFixed(1)} runs a second, ${lines.length} lines of the log; ${growth} kB`;
    return { tried: ran.reduce((sum, runs) => sum + runs, 0), refused: 0, survived };
  } finally {
    nound.kill();
  }
}

/** The case. */
export const rules: readonly HostileCase[] = [{ name: "rules that undo each other", run }];
