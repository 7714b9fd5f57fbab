/**
 * Attacks on what a server holds for its clients. Each is bounded, and runs in a thread of its own
 * (`attack-thread.ts`), so that its work is not taken for the server's.
 */
import { setTimeout as delay } from "node:timers/promises";
import { get, put } from "../harness/request.ts";
import { Attacker, openAttackers, sourceAddress } from "./attacker.ts";
import type { Toll } from "./case.ts";

/** Waits for ends of connections, and lets the kernel pass them on. */
const pause = 20;

/** Uploads that come but for their last bytes, and end with RST: as many at once as the server has connections. */
async function halfUploads(options: {
  readonly address: string;
  readonly path: string;
  readonly connections: number;
  readonly abreast: number;
}): Promise<Toll> {
  const { address, path, connections, abreast } = options;
  const upload = put(path, { text: "x".repeat(4_070) }).slice(0, -250);
  let tried = 0;
  for (let round = 0; tried < connections; round++) {
    const crowd = await openAttackers(address, abreast, sourceAddress(round));
    for (const one of crowd) one.send(upload);
    await delay(pause);
    for (const one of crowd) one.reset();
    tried += crowd.length;
  }
  return { tried, refused: Number.NaN };
}

/** Clients that pipeline requests and take no answer, until they vanish. */
async function takeNoAnswer(options: {
  readonly address: string;
  readonly path: string;
  readonly connections: number;
  readonly requests: number;
  readonly milliseconds: number;
}): Promise<Toll> {
  const { address, path, connections, requests, milliseconds } = options;
  const crowd = Array.from({ length: connections }, (_, index) => new Attacker(address, sourceAddress(index)));
  for (const one of crowd) one.socket.pause();
  await Promise.all(crowd.map((one) => one.connected()));
  for (const one of crowd) one.send(get(path).repeat(requests));
  await delay(milliseconds);
  for (const one of crowd) one.reset();
  return { tried: connections, refused: Number.NaN };
}

/** One connection with so many requests at once. It takes all answers. */
async function pipeline(options: {
  readonly address: string;
  readonly path: string;
  readonly requests: number;
}): Promise<Toll> {
  const one = new Attacker(options.address);
  one.send(get(options.path).repeat(options.requests));
  await one.answers(options.requests);
  one.drop();
  return { tried: options.requests, refused: one.statuses.filter((status) => status !== 200).length };
}

/** Clients that send requests and vanish before the first answer, so many a second. */
async function vanish(options: {
  readonly address: string;
  readonly path: string;
  readonly requests: number;
  readonly perSecond: number;
  readonly seconds: number;
}): Promise<Toll> {
  const { address, path, requests, perSecond, seconds } = options;
  const text = get(path).repeat(requests);
  const begun = performance.now();
  const ends: Promise<void>[] = [];
  const total = perSecond * seconds;
  while (ends.length < total && performance.now() < begun + 2_000 * seconds) {
    const due = Math.min(total, ((performance.now() - begun) * perSecond) / 1_000);
    while (ends.length < due) ends.push(sendAndVanish(new Attacker(address, sourceAddress(ends.length)), text));
    await delay(5);
  }
  await Promise.all(ends);
  return { tried: ends.length, refused: Number.NaN };
}

async function sendAndVanish(one: Attacker, text: string): Promise<void> {
  await one.connected();
  one.send(text);
  await delay(pause); // until the server has read them
  one.reset();
}

/** A way to keep a connection without being of use. */
export type Slowness = "head" | "body" | "half" | "deaf" | "idle";

/** What each sends at first. */
const openings: { readonly [slowness in Slowness]: string } = {
  head: "GET /still HTTP/1.1\r\nHost: localhost\r\nX: ",
  body: put("/note", { text: "x".repeat(3_900) }).slice(0, -3_900),
  half: `${get("/still")}GET /still HTTP/1.1\r\nHost: localhost\r\nX: `,
  deaf: get("/large").repeat(100),
  idle: "",
};

/**
 * Slow clients, so many at once. Whenever the server has closed one, the next takes its place, so many a second at
 * most.
 */
async function linger(options: {
  readonly address: string;
  readonly slowness: Slowness;
  readonly connections: number;
  readonly sources: number;
  readonly perSecond: number;
  readonly seconds: number;
}): Promise<Toll> {
  const { address, slowness, connections, sources, perSecond, seconds } = options;
  const begun = performance.now();
  let live: Attacker[] = [];
  let opened = 0;
  for (let turn = 0; performance.now() < begun + 1_000 * seconds; turn++) {
    live = live.filter((one) => !one.ended);
    const due = Math.min(perSecond * seconds, ((performance.now() - begun) * perSecond) / 1_000);
    while (opened < due && live.length < connections) {
      const one = new Attacker(address, sourceAddress(opened % sources));
      if (slowness === "deaf") one.socket.pause();
      one.send(openings[slowness]);
      live.push(one);
      opened += 1;
    }
    // A byte of each once a second: nobody can say that nothing comes.
    if (turn % 50 === 0 && slowness !== "deaf" && slowness !== "idle") for (const one of live) one.send("x");
    await delay(pause);
  }
  for (const one of live) one.drop();
  return { tried: opened, refused: Number.NaN };
}

/**
 * Clients that wait for nouns that take their time: each asks again a second after its answer, on a new connection if
 * need be.
 */
async function waitForNouns(options: {
  readonly address: string;
  /** What they ask, in turns. */
  readonly requests: readonly string[];
  readonly clients: number;
  readonly seconds: number;
}): Promise<Toll> {
  const { address, requests, clients, seconds } = options;
  const end = performance.now() + 1_000 * seconds;
  let [tried, refused] = [0, 0];
  const wait = async (request: string, source: string): Promise<void> => {
    let client = new Attacker(address, source);
    for (let asked = 1; performance.now() < end; asked++) {
      client.send(request);
      tried += 1;
      while (client.statuses.length < asked && !client.ended && performance.now() < end) await delay(pause);
      if (client.statuses.at(-1) === 503) refused += 1;
      await delay(1_000);
      if (!client.ended) continue;
      client.drop();
      client = new Attacker(address, source);
      asked = 0;
    }
    client.drop();
  };
  const request = (index: number): string => requests[index % requests.length] ?? "";
  await Promise.all(Array.from({ length: clients }, (_, index) => wait(request(index), sourceAddress(index))));
  return { tried, refused };
}

/**
 * Clients of one address that ask for streams. Whenever the server ends or refuses one, the next is asked for at once.
 */
async function holdStreams(options: {
  readonly address: string;
  readonly request: string;
  readonly source: string;
  readonly clients: number;
  readonly seconds: number;
}): Promise<Toll> {
  const { address, request, source, clients, seconds } = options;
  const end = performance.now() + 1_000 * seconds;
  let [tried, refused] = [0, 0];
  const hold = async (): Promise<void> => {
    while (performance.now() < end) {
      const client = new Attacker(address, source);
      client.send(request);
      tried += 1;
      while (!client.ended && performance.now() < end) await delay(pause);
      if (client.statuses.includes(503)) refused += 1;
      client.drop();
    }
  };
  await Promise.all(Array.from({ length: clients }, hold));
  return { tried, refused };
}

/**
 * Clients that ask for documents again and again, each for so many at once and by ever new hosts, and take all answers.
 */
async function readDocuments(options: {
  readonly address: string;
  readonly paths: readonly string[];
  readonly connections: number;
  readonly pipelined: number;
  readonly seconds: number;
}): Promise<Toll> {
  const { address, paths, connections, pipelined, seconds } = options;
  const end = performance.now() + 1_000 * seconds;
  const crowd = Array.from({ length: connections }, (_, index) => new Attacker(address, sourceAddress(index)));
  let asked = 0;
  const ask = (one: Attacker): void => {
    one.send(`GET ${paths[asked % paths.length]} HTTP/1.1\r\nHost: h${asked}\r\n\r\n`);
    asked += 1;
  };
  const read = async (one: Attacker): Promise<void> => {
    await one.connected();
    for (let count = 1; count < pipelined; count++) ask(one);
    for (let count = 1; performance.now() < end; count++) {
      ask(one);
      await one.answers(count);
    }
    one.reset();
  };
  await Promise.all(crowd.map(read));
  const statuses = crowd.flatMap((one) => one.statuses);
  return { tried: statuses.length, refused: statuses.filter((status) => status !== 200).length };
}

/** The attacks by name. */
export const attacks = {
  halfUploads,
  takeNoAnswer,
  pipeline,
  vanish,
  linger,
  waitForNouns,
  holdStreams,
  readDocuments,
};
