/** Text that is not ASCII, as much of it as a server takes. */

import { startNound } from "../../harness/nound-process.ts";
import { get, put } from "../../harness/request.ts";
import { nouns } from "../../wire/nouns.ts";
import { Attacker } from "../attacker.ts";
import { type HostileCase, type Outcome, type Toll, warmUp, withstand } from "../case.ts";

const large = { text: "€".repeat(80_000) };
const pipelined = 100;

/** Sends a large state, then asks for it as often as one connection may, and reads all answers. */
async function sendAndAsk(address: string): Promise<Toll> {
  const one = new Attacker(address);
  one.send(put("/note", large));
  for (let sent = 1; sent <= pipelined; sent++) one.send(get("/note"));
  await one.answers(1 + pipelined);
  const other = one.statuses.find((status) => status !== 200);
  if (other !== undefined) throw new Error(`A request for text that is not ASCII was answered with ${other}.`);
  one.drop();
  return { tried: 1 + pipelined, refused: 0 };
}

async function run(): Promise<Outcome> {
  const nound = await startNound({ nouns, limits: { bodyBytes: 262_144 } });
  await warmUp(nound);
  await sendAndAsk(nound.address);
  // The state stays, with the answer that was written last.
  return await withstand(nound, () => sendAndAsk(nound.address), { memory: false });
}

/** The case. */
export const nonAscii: readonly HostileCase[] = [{ name: "pipelined GETs of 240 KB that are not ASCII", run }];
