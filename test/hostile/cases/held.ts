/**
 * What a server holds for its clients: bytes received, requests that wait, answers that nobody takes, connections.
 * Attacks on each of them; within 5 s of an attack's end all of it is free again.
 */

import { type NoundProcess, startApplication, startNound } from "../../harness/nound-process.ts";
import { get, post, put } from "../../harness/request.ts";
import { nouns } from "../../wire/nouns.ts";
import { attack } from "../attack-thread.ts";
import { Attacker, openAttackers } from "../attacker.ts";
import type { Slowness } from "../attacks.ts";
import { type HostileCase, type Judgement, type Outcome, type Toll, withstand } from "../case.ts";
import type { Manners } from "../honest-client.ts";
import { maySetSocketBuffers, withSocketBuffers } from "../network.ts";
import { askOrdinarily, ordinaryApplicationRequests, ordinaryRequests } from "../ordinary-requests.ts";

/** ms until everything is free again. */
const recovery = 5_000;

/** 252 KB: as much as a client can make of a noun that takes any state. */
const large = {
  kind: "value",
  default: Object.fromEntries(Array.from({ length: 63 }, (_, key) => [`k${key}`, "x".repeat(3_990)])),
} as const;

/** What an ordinary client asks; the answer with the large state is then kept. */
const requests = [...ordinaryRequests, { bytes: get("/large"), status: 200 }];

/** Starts the stock program, and has it answer a thousand ordinary requests of each kind. */
async function startOrdinary(): Promise<NoundProcess> {
  const nound = await startNound({ nouns: { ...nouns, large, hoard: { kind: "value", default: {} } } });
  await askOrdinarily(nound.address, requests, 1_000);
  return nound;
}

function stock(name: string, act: (nound: NoundProcess) => Promise<Toll>, honest: Manners = {}): HostileCase {
  const judgement: Judgement = { honest, recovery, requests };
  return {
    name,
    run: async () => {
      const nound = await startOrdinary();
      return await withstand(nound, () => act(nound), judgement);
    },
  };
}

function application(name: string, honest: Manners, act: (address: string) => Promise<Toll>): HostileCase {
  const judgement: Judgement = { honest, recovery, requests: ordinaryApplicationRequests };
  return {
    name,
    run: async () => {
      const nound = await startApplication();
      await askOrdinarily(nound.address, ordinaryApplicationRequests, 1_000);
      return await withstand(nound, () => act(nound.address), judgement);
    },
  };
}

/** Adds keys to a state until the server takes no more. */
async function hoard(address: string): Promise<void> {
  const client = new Attacker(address);
  for (let key = 1; key <= 64 && !client.ended; key++) {
    client.send(post("/hoard", { [`k${key}`]: "€".repeat(1_330) }));
    await client.answers(key);
    if (client.statuses.at(-1) !== 200) break;
  }
  client.drop();
}

/** Fills the memory with a state, and then with uploads that are never completed. */
async function halfUploads({ address }: NoundProcess): Promise<Toll> {
  return await attack("halfUploads", { address, path: "/note", connections: 6_000, abreast: 128 });
}

async function runHalfUploads(): Promise<Outcome> {
  const nound = await startOrdinary();
  // What the state itself takes is the noun's.
  await hoard(nound.address);
  return await withstand(nound, () => halfUploads(nound), { honest: {}, recovery, requests });
}

async function takeNoAnswer({ address }: NoundProcess): Promise<Toll> {
  return await attack("takeNoAnswer", { address, path: "/large", connections: 126, requests: 60, milliseconds: 6_000 });
}

/** More of the unsent answers wait in the server itself the less the kernel takes. */
function withLittleSent(name: string, send: string): HostileCase {
  const { run } = stock(name, takeNoAnswer);
  return { name, run: () => withSocketBuffers({ send, receive: "4096 4096 8192" }, run) };
}

/** An operation of the first noun takes 2 s; one of the other ends with its time limit. */
async function waitForNouns(address: string): Promise<Toll> {
  const [setter] = await openAttackers(address, 1);
  setter?.send(post("/late", { after: 2_000 }));
  await setter?.answers(1);
  setter?.drop();
  const requests = [put("/late", { text: "late" }), get("/never")];
  return await attack("waitForNouns", { address, requests, clients: 140, seconds: 8 });
}

const slownesses: { readonly [slowness in Slowness]: string } = {
  head: "that send their heads byte by byte",
  body: "that send their bodies byte by byte",
  half: "that send one whole request and then half of one",
  deaf: "that take no answer",
  idle: "that send nothing",
};

function slow(slowness: Slowness, sources: number): HostileCase {
  const from = sources === 1 ? "one address" : `${sources} addresses`;
  const load = { slowness, sources, connections: 1_000, perSecond: 400, seconds: 6 };
  return stock(
    `1,000 clients ${slownesses[slowness]}, from ${from}`,
    ({ address }) => attack("linger", { address, ...load }),
    { interval: 30 },
  );
}

/** The cases. */
export const held: readonly HostileCase[] = [
  { name: "half uploads that end with RST, beside a state of 85 KB", run: runHalfUploads },
  ...(maySetSocketBuffers()
    ? [
        withLittleSent("60 pipelined GETs of 252 KB, small receive buffers, answers not read", "4096 16384 4194304"),
        withLittleSent("60 pipelined GETs of 252 KB, small send buffers too, answers not read", "4096 16384 131072"),
      ]
    : []),
  application("300 pipelined GETs of a noun that takes 17 ms", { counting: true, interval: 20 }, (address) =>
    attack("pipeline", { address, path: "/laborious", requests: 300 }),
  ),
  application("clients that vanish, 900 a second, at a noun that takes its time", { interval: 20 }, (address) =>
    attack("vanish", { address, path: "/asleep", requests: 16, perSecond: 900, seconds: 6 }),
  ),
  application("140 clients that wait for two slow nouns", { interval: 30, patience: 5_000, every: true }, waitForNouns),
  ...(Object.keys(slownesses) as Slowness[]).flatMap((slowness) => [slow(slowness, 1), slow(slowness, 200)]),
];
