/** Streams of events: more than there may be, opened and reset, and clients that take no events of a noun that changes without pause. */
import { setTimeout as delay } from "node:timers/promises";
import { nouns } from "../../e2e/harness/configuration.ts";
import { type NoundProcess, startNound } from "../../e2e/harness/nound-process.ts";
import { put, request } from "../../e2e/harness/request.ts";
import { countAnswered, openAttackers } from "../attacker.ts";
import { type HostileCase, type Toll, warmUp, withstand } from "../case.ts";

type Attack = (nound: NoundProcess) => Promise<Toll>;

const watch = (target: string) => request("GET", target, "Accept: text/event-stream\r\n");

function attacked(name: string, attack: Attack): HostileCase {
  return {
    name,
    run: async () => {
      const nound = await startNound({ nouns, limits: { sendTimeout: 2_000 } });
      await warmUp(nound);
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

async function takeNothing(nound: NoundProcess): Promise<Toll> {
  const [rounds, abreast] = [3, 32];
  for (let round = 0; round < rounds; round++) {
    const crowd = await openAttackers(nound.address, abreast);
    for (const one of crowd) one.send(watch("/note"));
    await Promise.all(crowd.map((one) => one.answers(1)));
    for (const one of crowd) one.socket.pause();
    const [writer] = await openAttackers(nound.address, 1);
    for (let change = 1; change <= 150; change++) {
      writer?.send(put("/note", { text: `${change} ${"x".repeat(3_900)}` }));
      await writer?.answers(change);
      await delay(20);
    }
    writer?.drop();
    for (const one of crowd) one.drop();
  }
  return { tried: rounds * abreast, refused: 0 };
}

export const streams: readonly HostileCase[] = [
  attacked("streams opened and reset", openAndReset),
  attacked("streams whose clients take nothing", takeNothing),
];
