/**
 * Clients that give nouns states as large as they may be. What clients have set must leave memory to answer with all of
 * it.
 */
import { setTimeout as delay } from "node:timers/promises";
import { memoryNotJudged } from "../../harness/environment.ts";
import { eventually } from "../../harness/eventually.ts";
import { type NoundProcess, startApplication, startNound } from "../../harness/nound-process.ts";
import { get, post, put, request } from "../../harness/request.ts";
import { nouns } from "../../wire/nouns.ts";
import { freeAddressSpace, leaveAddressSpace } from "../address-space.ts";
import { Attacker, openAttackers } from "../attacker.ts";
import { type HostileCase, type Outcome, type Toll, withstand } from "../case.ts";
import { ordinaryApplicationRequests, ordinaryRequests } from "../ordinary-requests.ts";
import { inTime } from "../time.ts";

/** Asks for a representation, and takes all of it. @returns how many characters it has. */
async function take(address: string, target: string, accept = "*/*"): Promise<number> {
  const what = `GET ${target} of ${accept}`;
  const answer = await fetch(`http://${address}${target}`, { headers: { accept } }).catch(() => {
    throw new Error(`${what} got no answer.`);
  });
  if (answer.status !== 200) throw new Error(`${what} was answered with ${answer.status}.`);
  if (accept !== "text/event-stream") return (await answer.text()).length;
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of answer.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes("data: ") && text.endsWith("\n\n")) return text.length;
  }
  throw new Error(`${what} ended after ${text.length} characters.`);
}

async function expectStatus(address: string, method: string, target: string, body?: string): Promise<void> {
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  const { status } = await fetch(`http://${address}${target}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  if (status !== 200) throw new Error(`${method} ${target} was answered with ${status}.`);
}

/** Makes every kind of request, while the states are as large as they may be. */
async function expectService(address: string, names: readonly string[]): Promise<void> {
  const [first = "", second = ""] = names;
  for (const target of ["/", `/${first}`, "/metrics", "/.well-known/wot", "/openapi.json"]) await take(address, target);
  for (const target of ["/", `/${first}`]) await take(address, target, "text/event-stream");
  await take(address, "/", "text/html");
  await expectStatus(address, "PUT", "/led", '{"led":1}');
  await expectStatus(address, "POST", "/led", "{}");
  await expectStatus(address, "PUT", `/${second}`, '{"small":true}');
  await expectStatus(address, "POST", `/${second}`, '{"more":1}');
  await expectStatus(address, "DELETE", `/${second}`);
  await take(address, "/");
}

/** Adds pairs to the state of a noun, as many as there may be, and a few more over the same connection. */
async function fill(address: string, name: string, text: string): Promise<Toll> {
  const client = new Attacker(address);
  let [tried, refused] = [0, 0];
  while (tried < 64 && refused < 3) {
    tried += 1;
    client.send(post(`/${name}`, { [`k${tried}`]: text }));
    await client.answers(tried);
    if (client.statuses.at(-1) !== 200) refused += 1;
  }
  client.drop();
  return { tried, refused };
}

/** Fills so many nouns, and makes every kind of request then. @param text the value of each pair. */
async function fillNouns(count: number, text: string, limits: object): Promise<Outcome> {
  const names = Array.from({ length: count }, (_, index) => `value-${index}`);
  const values = Object.fromEntries(names.map((name) => [name, { kind: "value" }] as const));
  const nound = await startNound({ nouns: { ...nouns, ...values }, limits });
  const { address } = nound;
  const attack = async (): Promise<Toll> => {
    const left = [...names];
    let [tried, refused] = [0, 0];
    const fillNext = async (): Promise<void> => {
      for (let name = left.pop(); name !== undefined; name = left.pop()) {
        const toll = await fill(address, name, text);
        tried += toll.tried;
        refused += toll.refused;
      }
    };
    await Promise.all(Array.from({ length: 8 }, fillNext));
    for (let round = 0; round < 3; round++) await expectService(address, names);
    for (const name of names) await expectStatus(address, "DELETE", `/${name}`);
    return { tried, refused };
  };
  // The memory of what was asked for and had.
  return await withstand(nound, attack, { honest: undefined, memory: false, requests: ordinaryRequests });
}

/** Changes a noun while there is memory for the change, and from none to enough for its answer. */
async function changeWithoutMemory(nound: NoundProcess, path: string, most: number): Promise<Toll> {
  const runs = 20;
  const { address } = nound;
  let refused = 0;
  for (let run = 1; run <= runs; run++) {
    const client = new Attacker(address);
    await client.connected();
    leaveAddressSpace(nound, (run / runs) * most);
    client.send(post(path, { run }));
    await eventually("it is answered or let go", () => client.ended || client.statuses.length > 0);
    freeAddressSpace(nound);
    client.drop();
    const [status = 0] = client.statuses;
    const state = (await (await fetch(`http://${address}${path}`)).json()) as { readonly run?: number };
    if (status === 200 && state.run !== run) throw new Error("A change was answered with 200 and has not happened.");
    if (status >= 400 && state.run === run) throw new Error(`A change was answered with ${status}, and has happened.`);
    if (status !== 200) refused += 1;
  }
  if (refused === 0) throw new Error("There was memory for every answer.");
  return { tried: runs, refused };
}

/** @param path of a noun whose answer is so large that it finds no memory among `most` bytes, or just so. */
async function endBetween(
  start: () => Promise<NoundProcess>,
  path: string,
  text: string,
  most: number,
): Promise<Outcome> {
  const nound = await start();
  const attack = async (): Promise<Toll> => {
    const owner = new Attacker(nound.address);
    owner.send(put(path, { run: 0, text }));
    await owner.answers(1);
    owner.drop();
    const toll = await changeWithoutMemory(nound, path, most);
    await expectStatus(nound.address, "DELETE", path);
    return toll;
  };
  return await withstand(nound, attack, {
    honest: undefined,
    memory: false,
    requests: [{ bytes: get("/still"), status: 200 }],
  });
}

/**
 * Reads all nouns, of which one answers late. There is memory for the reading, and from none to enough for the answer.
 */
async function readAllWithoutMemory(nound: NoundProcess): Promise<Toll> {
  const [rounds, abreast, most] = [10, 4, 4_000_000];
  const { address } = nound;
  let refused = 0;
  for (let round = 0; round < rounds; round++) {
    const crowd = await openAttackers(address, abreast);
    for (const [index, one] of crowd.entries()) {
      one.send(index % 2 === 0 ? get("/") : request("GET", "/", "Accept: text/event-stream\r\n"));
    }
    await delay(lateTime / 2);
    leaveAddressSpace(nound, (round / rounds) * most);
    const isOver = () => crowd.every(({ ended, statuses }) => ended || statuses.length > 0);
    await inTime("all are answered or let go", isOver, 10 * lateTime);
    freeAddressSpace(nound);
    refused += crowd.filter(({ statuses: [status] }) => status !== 200).length;
    for (const one of crowd) one.drop();
  }
  if (refused === 0) throw new Error("There was memory for every answer.");
  return { tried: rounds * abreast, refused };
}

async function runReadAll(): Promise<Outcome> {
  const nound = await startApplication({ ...limits, nounTimeout: lateTime });
  const attack = async (): Promise<Toll> => {
    const owner = new Attacker(nound.address);
    owner.send(put("/plain", { text: "x".repeat(900_000) }));
    await owner.answers(1);
    owner.drop();
    const toll = await readAllWithoutMemory(nound);
    await expectStatus(nound.address, "DELETE", "/plain");
    return toll;
  };
  return await withstand(nound, attack, { honest: undefined, memory: false, requests: ordinaryApplicationRequests });
}

const limits = { bodyBytes: 1_000_000 };

/** ms until a noun that never answers has run out of its time. */
const lateTime = 1_000;

/** The cases. */
export const states: readonly HostileCase[] = [
  { name: "states of 100 nouns as large as they may be", run: () => fillNouns(100, "€".repeat(1_350), {}) },
  {
    name: "states of 3 nouns of 256 KB each time",
    run: () => fillNouns(3, "x".repeat(262_000), { bodyBytes: 262_144 }),
  },
  {
    name: "states of 40 nouns in 4 MB of memory",
    run: () => fillNouns(40, `€${"x".repeat(4_000)}`, { memoryBytes: 4_194_304 }),
  },
  // The sanitizers reserve terabytes of addresses.
  ...(memoryNotJudged === undefined
    ? [
        {
          name: "changes of a noun that leave no memory for its state",
          run: () => endBetween(() => startApplication(limits), "/plain", "x".repeat(900_000), 2_000_000),
        },
        {
          name: "changes of a value that leave no memory for its state",
          run: () => endBetween(() => startNound({ nouns, limits }), "/note", "€".repeat(60_000), 400_000),
        },
        { name: "reads of all nouns that leave no memory for their states", run: runReadAll },
      ]
    : []),
];
