/**
 * Streams of events: more than there may be, opened and reset, and clients that take no events of a noun that changes
 * without pause.
 */

import { setTimeout as delay } from "node:timers/promises";
import { slowness } from "../../harness/environment.ts";
import { type NoundProcess, startNound } from "../../harness/nound-process.ts";
import { put, request } from "../../harness/request.ts";
import { nouns } from "../../wire/nouns.ts";
import { attack } from "../attack-thread.ts";
import { Attacker, countAnswered, openAttackers, sourceAddress } from "../attacker.ts";
import { type HostileCase, type Toll, warmUp, withstand } from "../case.ts";

type Attack = (nound: NoundProcess) => Promise<Toll>;

/** ms that a client of a stream may take nothing. */
const sendTimeout = 2_000;
/** ms after which a stopped client's place is free at the latest: 1 s to fill its buffers, `sendTimeout`, and 5 s. */
const freeTime = 1_000 + sendTimeout + 5_000;

const watch = (target: string) => request("GET", target, "Accept: text/event-stream\r\n");

function attacked(name: string, attack: Attack, maxStreams = 32): HostileCase {
  return {
    name,
    run: async () => {
      const nound = await startNound({ nouns, limits: { sendTimeout, maxStreams, maxConnections: 128 + maxStreams } });
      await warmUp(nound, 128 + maxStreams);
      // What the first stream needs is read once.
      const [first] = await openAttackers(nound.address, 1);
      first?.send(watch("/note"));
      await first?.answers(1);
      first?.drop();
      return await withstand(nound, () => attack(nound));
    },
  };
}

async function openAndReset(nound: NoundProcess): Promise<Toll> {
  const [rounds, abreast] = [100, 100];
  let refused = 0;
  for (let round = 0; round < rounds; round++) {
    const crowd = await openAttackers(nound.address, abreast);
    for (const one of crowd) one.send(watch("/note"));
    await Promise.all(crowd.map((one) => one.answers(1)));
    refused += countAnswered(crowd, 503);
    for (const one of crowd) one.reset();
  }
  return { tried: rounds * abreast, refused };
}

/** @returns whether so many streams can begin now. */
async function areFree(nound: NoundProcess, places: number): Promise<boolean> {
  const crowd = await openAttackers(nound.address, places);
  for (const one of crowd) one.send(watch("/note"));
  await Promise.all(crowd.map((one) => one.answers(1)));
  const begun = countAnswered(crowd, 200);
  for (const one of crowd) one.reset();
  return begun === places;
}

/**
 * Takes all places and then no bytes, of a noun that changes 50 times a second. @throws Error when the places are not
 * free in time.
 */
async function takeNothing(nound: NoundProcess, places: number): Promise<Toll> {
  const rounds = 3;
  for (let round = 0; round < rounds; round++) {
    const crowd = await openAttackers(nound.address, places);
    for (const one of crowd) one.send(watch("/note"));
    await Promise.all(crowd.map((one) => one.answers(1)));
    for (const one of crowd) one.socket.pause();
    const [writer] = await openAttackers(nound.address, 1);
    const stopped = performance.now();
    let free = false;
    for (let change = 1; !free; change++) {
      writer?.send(put("/note", { text: `${change} ${"x".repeat(3_900)}` }));
      await writer?.answers(change);
      await delay(20);
      if (change % 25 === 0) free = await areFree(nound, places);
      // Not before there were as many changes as 50 a second are: a busy machine makes fewer, and fills the buffers
      // later.
      if (!free && performance.now() - stopped > freeTime * slowness && change > freeTime / 20) {
        throw new Error(`Not all of the ${places} places of clients that take nothing were free after ${freeTime} ms.`);
      }
    }
    writer?.drop();
    for (const one of crowd) one.drop();
  }
  return { tried: rounds * places, refused: 0 };
}

/**
 * One address holds all places, and asks again for each that it loses. A hundred clients of three other addresses watch
 * meanwhile.
 * @throws Error when one of them cannot, or loses its stream.
 */
async function holdAll({ address }: NoundProcess): Promise<Toll> {
  const [greedy, ...others] = [0, 1, 2, 3].map(sourceAddress);
  const holders = await openAttackers(address, 32, greedy);
  for (const one of holders) one.send(watch("/note"));
  await Promise.all(holders.map((one) => one.answers(1)));
  const attacking = attack("holdStreams", {
    address,
    request: watch("/note"),
    source: greedy ?? "",
    clients: 40,
    seconds: 6,
  });
  const honest: Attacker[] = [];
  for (let count = 0; count < 100; count++) {
    const client = new Attacker(address, others[count % others.length]);
    client.send(watch("/note"));
    await client.answers(1);
    if (client.statuses[0] !== 200) throw new Error(`Stream ${count} of an honest client got ${client.statuses[0]}.`);
    honest.push(client);
    // Six of each of the three, which is less than the share of each.
    if (honest.length > 18) honest.shift()?.drop();
    await delay(20);
    const { length } = honest.filter((one) => one.ended);
    if (length > 0) throw new Error(`Streams of honest clients ended: ${length}.`);
  }
  const toll = await attacking;
  if (honest.some((one) => one.ended)) throw new Error("A stream of an honest client ended.");
  for (const one of [...honest, ...holders]) one.drop();
  return toll;
}

export const streams: readonly HostileCase[] = [
  attacked("streams of one address, which holds all there may be and asks for more", holdAll),
  attacked("streams opened and reset", openAndReset),
  attacked("32 streams, all there may be, whose clients take nothing", (nound) => takeNothing(nound, 32)),
  attacked("128 streams, all there may be, whose clients take nothing", (nound) => takeNothing(nound, 128), 128),
];
