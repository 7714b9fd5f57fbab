/** Reloads while clients ask: no answer is wrong, and a client that tries once more loses none. */
import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../harness/eventually.ts";
import { type NoundProcess, startNound } from "../../harness/nound-process.ts";
import type { HostileCase, Outcome } from "../case.ts";

const reloads = 20;
/** ms */
const between = 200;
/** Requests a second, each on a connection of its own. */
const rate = 1_000;
/** Requests at once; more wait for this machine. */
const most = 400;
/** ms between two bursts. */
const pause = 10;

/** @returns the answer's body. */
async function ask(address: string, method: string, path: string, body = ""): Promise<string> {
  const [host, port] = address.split(":");
  const headers = body === "" ? {} : { "content-type": "application/json" };
  return await new Promise((resolve, reject) => {
    const asking = request({ host, port, method, path, headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.once("end", () => resolve(text)).once("error", reject);
    });
    asking.once("error", reject).end(body);
  });
}

async function reload(nound: NoundProcess): Promise<void> {
  const before = nound.pid;
  process.kill(nound.keeper, "SIGHUP");
  await eventually("another process serves", () => ![before, nound.keeper].includes(nound.pid));
}

/** Every second request sets a state of its own, which is its answer. */
async function askDuringReloads(): Promise<Outcome> {
  const note = { kind: "value", default: { text: "still" } } as const;
  const nound = await startNound({ nouns: { note, still: note }, limits: { maxConnections: 2 * most } });
  let [tried, again, open, isOver] = [0, 0, 0, false];
  const client = async (): Promise<void> => {
    tried += 1;
    const text = `text ${tried}`;
    const sets = tried % 2 === 0;
    const expected = JSON.stringify({ text: sets ? text : "still" });
    const once = () => (sets ? ask(nound.address, "PUT", "/note", expected) : ask(nound.address, "GET", "/still"));
    const answer = await once().catch(() => {
      again += 1;
      return once();
    });
    if (answer !== expected) throw new Error(`The answer was ${answer}, and should be ${expected}.`);
  };
  const clients: Promise<void>[] = [];
  const failures: string[] = [];
  const reloading = (async () => {
    for (let index = 0; index < reloads; index++) {
      await delay(between);
      await reload(nound);
    }
    isOver = true;
  })();
  const since = performance.now();
  while (!isOver) {
    while (tried < ((performance.now() - since) * rate) / 1_000 && open < most) {
      open += 1;
      const asking = client().catch((error: unknown) => void failures.push(String(error)));
      clients.push(asking.finally(() => (open -= 1)));
    }
    await delay(pause);
  }
  await Promise.all([reloading, ...clients]);
  if (failures.length > 0) throw new Error(`${failures.length} of ${tried} requests failed: ${failures[0]}`);
  await client(); // the last process serves, and has its handler of signals
  const { status } = await nound.stop();
  if (status !== 0) throw new Error(`It ended with ${status}.`);
  return { tried, refused: 0, survived: `${reloads} reloads; ${again} requests were sent twice` };
}

/** The case. */
export const reloadsUnderLoad: readonly HostileCase[] = [
  { name: "a thousand requests a second during reloads", run: askDuringReloads },
];
