/** Nouns that never answer, throw, talk nonsense or do not come back. */
import { startApplication } from "../../harness/nound-process.ts";
import { del, get, post, put } from "../../harness/request.ts";
import { openAttackers } from "../attacker.ts";
import { type HostileCase, type Toll, warmUp, withstand } from "../case.ts";
import type { Manners } from "../honest-client.ts";

/** By their names in the application of the end-to-end suite. */
const throwing = [
  "throwing",
  "rejecting",
  "throwing-text",
  "throwing-undefined",
  "throwing-an-error-with-a-getter",
  "recursing",
];
const endless = ["endless-loop", "endless-iteration", "endless-match", "endless-promise"];
const nonsense = ["array", "cycle", "function", "nan", "infinity", "nested", "symbol", "getter", "proxy", "thenable"];
const talkingNonsense = nonsense.flatMap((name) => [`returns-${name}`, `resolves-${name}`]);

/**
 * Every request is to be answered with this status, and the connection kept. @param abreast how many clients at once.
 */
async function expectAll(address: string, requests: readonly string[], status: number, abreast = 20): Promise<Toll> {
  const crowd = await openAttackers(address, abreast);
  await Promise.all(
    crowd.map(async (one) => {
      for (const [index, request] of requests.entries()) {
        one.send(request);
        await one.answers(index + 1);
      }
    }),
  );
  for (const { statuses } of crowd) {
    const other = statuses.find((found) => found !== status);
    if (other !== undefined) throw new Error(`A noun that fails was answered for with ${other}.`);
  }
  for (const one of crowd) one.drop();
  return { tried: abreast * requests.length, refused: abreast * requests.length };
}

function failing(name: string, attack: (address: string) => Promise<Toll>, honest: Manners = {}): HostileCase {
  return {
    name,
    run: async () => {
      const application = await startApplication({ nounTimeout: 300, nounBusyTime: 100 });
      await warmUp(application);
      // What an attack allocates at once stays with the heap; what a second one adds would be a leak.
      await attack(application.address);
      return await withstand(application, () => attack(application.address), { honest });
    },
  };
}

const changes = (noun: string): readonly string[] => [put(`/${noun}`, { a: 1 }), post(`/${noun}`), del(`/${noun}`)];

/** A hundred clients wait, and each of their requests ends in time. */
async function waitForNever(address: string): Promise<Toll> {
  const crowd = await openAttackers(address, 100);
  for (const one of crowd) one.send(get("/never").repeat(10));
  await Promise.all(crowd.map((one) => one.answers(10)));
  const refused = crowd.flatMap(({ statuses }) => statuses).filter((status) => status === 503).length;
  if (refused !== 1_000) throw new Error(`${1_000 - refused} requests were not answered with 503.`);
  for (const one of crowd) one.drop();
  return { tried: 1_000, refused };
}

/** The cases. */
export const failingNouns: readonly HostileCase[] = [
  failing("requests to nouns that throw", (address) => expectAll(address, throwing.flatMap(changes), 500)),
  failing("requests to nouns that return nonsense", (address) =>
    expectAll(
      address,
      talkingNonsense.map((name) => get(`/${name}`)),
      500,
    ),
  ),
  failing("requests to a noun that never answers", waitForNever),
  // One at a time: it has the processor for its 100 ms, and nobody else meanwhile. On a machine with other work that is
  // a second.
  failing(
    "requests to nouns that never return",
    (address) => expectAll(address, [...endless, ...endless].flatMap(changes), 503, 1),
    { patience: 5_000 },
  ),
];
