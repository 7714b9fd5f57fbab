/** More of everything than there should be: connections, requests, bytes without sense. */

import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../harness/eventually.ts";
import { type NoundProcess, startNound } from "../../harness/nound-process.ts";
import { openDescriptors } from "../../harness/process-status.ts";
import { get, put } from "../../harness/request.ts";
import { nouns } from "../../wire/nouns.ts";
import { type Attacker, countAnswered, openAttackers, sourceAddress } from "../attacker.ts";
import { type HostileCase, type Toll, warmUp, withstand } from "../case.ts";
import type { Manners } from "../honest-client.ts";
import { randomBytes } from "../random-bytes.ts";
import { inTime } from "../time.ts";

type Attack = (nound: NoundProcess) => Promise<Toll>;

const limits = { headersTimeout: 2_000, bodyTimeout: 2_000, sendTimeout: 2_000 };

function flood(name: string, attack: Attack, honest: Manners = {}): HostileCase {
  return {
    name,
    run: async () => {
      const nound = await startNound({ nouns, limits });
      await warmUp(nound);
      return await withstand(nound, () => attack(nound), { honest });
    },
  };
}

/**
 * Fewer than there may be: a client whose request comes later than a whole cap of newcomers is one that asked too late.
 */
const atOnce = 100;

/**
 * ms between two hundreds. Without a pause, the cap has passed in 8 ms, and a busy machine makes an honest client wait
 * longer than that.
 */
const pause = 20;

/** The crowd says nothing and never goes; each newcomer has the one closed that came first. */
async function connectTenThousand(nound: NoundProcess): Promise<Toll> {
  const cap = 128;
  const room = openDescriptors(nound.pid) + 2 * cap + 2;
  const crowd: Attacker[] = [];
  for (let batch = 0; batch < 100; batch++) {
    crowd.push(...(await openAttackers(nound.address, atOnce, sourceAddress(batch))));
    const open = openDescriptors(nound.pid);
    if (open > room) throw new Error(`The server has ${open} descriptors open, more than ${room}.`);
    await delay(pause);
  }
  const closed = (): number => crowd.filter((one) => one.ended).length;
  await eventually("all but as many as may be are closed", () => closed() >= crowd.length - cap);
  const refused = closed();
  for (const one of crowd) one.drop();
  return { tried: crowd.length, refused };
}

/**
 * As fast as the server accepts, and no faster: the kernel would ignore new connections, honest ones too, whatever the
 * program does.
 */
async function connectAndReset(nound: NoundProcess): Promise<Toll> {
  const request = put("/canary", { executed: true });
  const rounds = 200;
  for (let round = 0; round < rounds; round++) {
    const crowd = await openAttackers(nound.address, atOnce, sourceAddress(round));
    for (const [index, one] of crowd.entries()) {
      one.send(request.slice(0, (index * 2) % request.length));
      one.reset();
    }
    const [last] = await openAttackers(nound.address, 1, sourceAddress(round));
    last?.send(get("/still"));
    await last?.answers(1);
    last?.drop();
  }
  return { tried: rounds * atOnce, refused: 0 };
}

async function sendGarbage(nound: NoundProcess): Promise<Toll> {
  const random = randomBytes(7);
  let refused = 0;
  const [rounds, abreast] = [60, 50];
  for (let round = 0; round < rounds; round++) {
    const crowd = await openAttackers(nound.address, abreast, sourceAddress(round));
    for (const one of crowd) {
      one.send(random(1 + (random(1).charCodeAt(0) % 64) * 40));
      one.finish();
    }
    await Promise.all(crowd.map((one) => one.gone()));
    if (countAnswered(crowd, 200) > 0) throw new Error("Garbage was answered with 200.");
    refused += crowd.filter(({ statuses }) => statuses.length > 0).length;
    for (const one of crowd) one.drop();
  }
  return { tried: rounds * abreast, refused };
}

async function pipeline(nound: NoundProcess): Promise<Toll> {
  const each = 10_000;
  const crowd = await openAttackers(nound.address, 10);
  for (const one of crowd) one.send(get("/still").repeat(each));
  await Promise.all(crowd.map((one) => one.answers(each)));
  for (const one of crowd) one.drop();
  const answered = crowd.reduce((sum, { statuses }) => sum + statuses.filter((status) => status === 200).length, 0);
  if (answered !== crowd.length * each) throw new Error(`${answered} requests were answered with 200.`);
  return { tried: answered, refused: 0 };
}

/** Nobody takes an answer. @throws Error when the server does not close once sendTimeout is over. */
async function pipelineDeaf(nound: NoundProcess): Promise<Toll> {
  const descriptors = openDescriptors(nound.pid);
  const [setter] = await openAttackers(nound.address, 1);
  setter?.send(put("/note", { text: "x".repeat(3_900) }));
  await setter?.answers(1);
  setter?.drop();
  const crowd = await openAttackers(nound.address, 25);
  const requests = get("/note").repeat(3_000); // 12 MB: more than the kernel's buffers hold on both sides
  await eventually("all are accepted", () => openDescriptors(nound.pid) >= descriptors + crowd.length);
  for (const one of crowd) {
    one.socket.pause();
    one.send(requests);
  }
  const areClosed = () => openDescriptors(nound.pid) <= descriptors;
  await inTime("clients that take nothing are closed", areClosed, 5 * limits.sendTimeout);
  for (const one of crowd) one.drop();
  return { tried: crowd.length, refused: crowd.length };
}

/** FIN after a whole, a partial or no request, and the other half is never closed. */
async function leaveHalfOpen(nound: NoundProcess): Promise<Toll> {
  let refused = 0;
  const rounds = 13;
  for (let round = 0; round < rounds; round++) {
    const crowd = await openAttackers(nound.address, atOnce, sourceAddress(round));
    const request = put("/note", { round });
    for (const [index, one] of crowd.entries()) {
      one.send(request.slice(0, [request.length, 40, 0][index % 3]));
      one.finish();
    }
    await Promise.all(crowd.map((one) => one.gone()));
    refused += countAnswered(crowd, 503);
  }
  return { tried: rounds * atOnce, refused };
}

/** The cases. */
export const floods: readonly HostileCase[] = [
  flood("10,000 connections against a cap of 128", connectTenThousand, { attempts: 3 }),
  flood("connections reset at any byte of a request", connectAndReset),
  flood("half-open connections, never closed", leaveHalfOpen),
  flood("connections with random bytes", sendGarbage),
  flood("pipelined requests, ten times 10,000", pipeline),
  flood("pipelining clients that do not read answers", pipelineDeaf),
];
