/** Clients and nouns that fill the memory: what an engine at its limit did not survive. */
import { setTimeout as delay } from "node:timers/promises";
import { slowness } from "../../harness/environment.ts";
import { startApplication } from "../../harness/nound-process.ts";
import { get, put } from "../../harness/request.ts";
import { Attacker, openAttackers } from "../attacker.ts";
import { type HostileCase, type Toll, warmUp, withstand } from "../case.ts";

/** Requests of each kind that a device has seen before anything is measured. */
const ordinary = 1_000;

async function useOrdinarily(address: string): Promise<void> {
  const [user] = await openAttackers(address, 1);
  if (user === undefined) return;
  let answered = 0;
  for (const request of [get("/still"), put("/note", { text: "x" }), get("/note"), get("/asleep")]) {
    // One that takes its time is asked less often, so that a run stays short.
    const count = request.includes("asleep") ? ordinary / 50 : ordinary;
    for (let round = 0; round < count; round += 4) {
      user.send(request.repeat(4));
      answered += 4;
      await user.answers(answered);
    }
  }
  user.drop();
}

/** Connects, asks a noun that takes 50 ms for each answer sixteen times, and vanishes by RST. */
async function askAndVanish(address: string): Promise<void> {
  const attacker = new Attacker(address);
  await attacker.connected();
  attacker.send(get("/asleep").repeat(16));
  await delay(20);
  attacker.reset();
}

const perSecond = 900;

/** As many connections a second as upstream's defect was found with, for ten seconds. */
async function ask(address: string): Promise<Toll> {
  const since = performance.now();
  const end = since + 10_000 * slowness;
  const struck: Promise<void>[] = [];
  while (performance.now() < end) {
    const due = ((performance.now() - since) / 1_000) * perSecond;
    while (struck.length < due) struck.push(askAndVanish(address));
    await delay(5);
  }
  await Promise.all(struck);
  return { tried: struck.length, refused: Number.NaN };
}

async function run(attack: (address: string) => Promise<Toll>): ReturnType<HostileCase["run"]> {
  const application = await startApplication();
  await warmUp(application);
  await useOrdinarily(application.address);
  return await withstand(application, () => attack(application.address));
}

/** A noun takes all the memory it may, again and again, in ways that only a collection undoes. */
async function hoard(address: string): Promise<Toll> {
  const tried = 20;
  const [client] = await openAttackers(address, 1);
  for (let round = 0; round < tried; round++) {
    client?.send(put(round % 2 === 0 ? "/hoarding-cycles" : "/hoarding-promise", {}));
    await client?.answers(round + 1);
  }
  const others = client?.statuses.filter((status) => status !== 500 && status !== 503).length ?? 0;
  if (others > 0) throw new Error(`${others} operations that had taken all memory were answered as if they had not.`);
  client?.drop();
  return { tried, refused: tried };
}

/** The cases. */
export const memory: readonly HostileCase[] = [
  { name: "connections that ask a slow noun 16 times and reset", run: () => run(ask) },
  { name: "operations that take all memory", run: () => run(hoard) },
];
