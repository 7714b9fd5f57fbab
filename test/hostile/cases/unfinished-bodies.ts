/**
 * Clients that send as much of a body as they may and never end it: relief takes the memory from them, and from nobody
 * else.
 */
import { startNound } from "../../harness/nound-process.ts";
import { get, put, request } from "../../harness/request.ts";
import { nouns } from "../../wire/nouns.ts";
import { Attacker, countAnswered, openAttackers } from "../attacker.ts";
import { type HostileCase, type Outcome, type Toll, warmUp, withstand } from "../case.ts";

const bodyBytes = 262_144;

/** Together they may hold as much as the whole limit of memory. */
const connections = 126;
const honestRequests = 73;

const data = "x".repeat(bodyBytes - 64);

/** A body of which the end is missing. */
function unfinished(target: string): string {
  const fields = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
  return `${request("PUT", target, fields)}${bodyBytes.toString(16)}\r\n{"text":"${data}`;
}

/** @returns whether all requests on a connection of their own were answered with 200. */
async function serves(address: string): Promise<boolean> {
  const honest = new Attacker(address);
  honest.send(put("/led", { led: 1 }) + put("/note", { text: "z".repeat(20_000) }));
  honest.send(get("/openapi.json"));
  const isServed = await honest.answers(3).then(
    () => honest.statuses.every((status) => status === 200),
    () => false,
  );
  honest.drop();
  return isServed;
}

async function run(bytes: string): Promise<Outcome> {
  const nound = await startNound({ nouns, limits: { bodyBytes } });
  await warmUp(nound);
  return await withstand(
    nound,
    async (): Promise<Toll> => {
      const crowd = await openAttackers(nound.address, connections);
      for (const one of crowd) one.send(bytes);
      let served = 0;
      for (let count = 0; count < honestRequests; count++) served += (await serves(nound.address)) ? 1 : 0;
      const refused = crowd.filter(({ ended }) => ended).length + countAnswered(crowd, 404);
      for (const one of crowd) one.drop();
      if (served < honestRequests) throw new Error(`${served} of ${honestRequests} honest clients were served.`);
      return { tried: connections, refused };
    },
    // What the states and the answers of a quarter of a megabyte need, once they were there.
    { honest: undefined, memory: false },
  );
}

/** The cases. */
export const unfinishedBodies: readonly HostileCase[] = [
  { name: "unfinished bodies of 256 KB in chunks", run: () => run(unfinished("/note")) },
  { name: "unfinished bodies of 256 KB in chunks that are skipped", run: () => run(unfinished("/nothing")) },
];
