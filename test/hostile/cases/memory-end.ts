/**
 * Clients that use the last of the memory, down to what a report of an error would need. Their requests may fail and
 * their connections may end, but the process serves on. `NOUND_HOSTILE_RUNS` sets how many processes each case attacks.
 */
import { setTimeout as delay } from "node:timers/promises";
import { memoryNotJudged } from "../../harness/environment.ts";
import { eventually } from "../../harness/eventually.ts";
import { type Ending, type NoundProcess, startNound } from "../../harness/nound-process.ts";
import { get, post, put, request } from "../../harness/request.ts";
import { nouns } from "../../wire/nouns.ts";
import { leaveAddressSpace } from "../address-space.ts";
import { Attacker, openAttackers } from "../attacker.ts";
import type { HostileCase, Outcome, Toll } from "../case.ts";
import { askOrdinarily, ordinaryRequests } from "../ordinary-requests.ts";

const runs = Number(process.env["NOUND_HOSTILE_RUNS"] ?? 2);

/** As little as there may be, so that it is soon used up. */
const memoryBytes = 4_194_304;

/** The nouns that the first attack fills. */
const names: readonly string[] = Array.from({ length: 16 }, (_, index) => `value-${index}`);

/** Adds up what became of requests: those that got no 200 were refused, or lost their connection. */
function tollOf(requests: number, attackers: readonly Attacker[]): Toll {
  const answered = attackers.flatMap(({ statuses }) => statuses).filter((status) => status === 200).length;
  return { tried: requests, refused: requests - answered };
}

/** Waits until a client has as many answers, or none will come. @returns the latest. */
async function latestAnswer(client: Attacker, count: number): Promise<number | undefined> {
  await eventually("a request is answered or let go", () => client.ended || client.statuses.length >= count);
  return client.statuses[count - 1];
}

/** Adds pairs to a noun's state, as many as it may have. A client that loses its connection leaves the rest. */
async function fill(address: string, name: string): Promise<Attacker> {
  const client = new Attacker(address);
  for (let key = 1; key <= 64 && !client.ended; key++) {
    client.send(post(`/${name}`, { [`k${key}`]: "€".repeat(1_330) }));
    await latestAnswer(client, key);
  }
  client.drop();
  return client;
}

/** Fills all states, and then asks for all of them at once, in answers and in streams. */
async function fillStates({ address }: NoundProcess): Promise<Toll> {
  const attackers: Attacker[] = [];
  const left = [...names];
  const fillNext = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) attackers.push(await fill(address, name));
  };
  await Promise.all(Array.from({ length: 4 }, fillNext));
  for (let round = 0; round < 40; round++) {
    const readers = await openAttackers(address, 4);
    for (const [index, reader] of readers.entries()) {
      reader.send(index % 2 === 0 ? get("/") : request("GET", "/", "Accept: text/event-stream\r\n"));
    }
    attackers.push(...readers);
    await delay(50);
  }
  for (const attacker of attackers) attacker.drop();
  return tollOf(64 * names.length + 160, attackers);
}

/** Uploads of 4 KB, whose last bytes come when all of them hold memory. */
async function upload({ address }: NoundProcess): Promise<Toll> {
  const whole = put("/note", { text: "x".repeat(4_070) });
  const attackers: Attacker[] = [];
  for (let round = 0; round < 60; round++) {
    const crowd = await openAttackers(address, 128);
    for (const one of crowd) one.send(whole.slice(0, -250));
    await delay(20);
    for (const one of crowd) one.send(whole.slice(-250) + get("/still") + whole);
    await delay(50);
    for (const one of crowd) one.reset();
    attackers.push(...crowd);
  }
  return tollOf(3 * attackers.length, attackers);
}

/** Chunked bodies of almost 64 KB that grow side by side, by chunks that need less than a report does. */
async function uploadChunks({ address }: NoundProcess): Promise<Toll> {
  const head = put("/note", {}).replace(/Content-Length: .*\r\n\r\n.*/, "Transfer-Encoding: chunked\r\n\r\n");
  const chunk = `1f4\r\n${"x".repeat(500)}\r\n`;
  const attackers: Attacker[] = [];
  for (let round = 0; round < 10; round++) {
    const crowd = await openAttackers(address, 126);
    for (const one of crowd) one.send(`${head}9\r\n{"text":"\r\n`);
    for (let sent = 0; sent < 120 && crowd.some(({ ended }) => !ended); sent++) {
      for (const one of crowd) one.send(chunk);
      await delay(1);
    }
    for (const one of crowd) one.send(`2\r\n"}\r\n0\r\n\r\n${get("/still")}`);
    await delay(150);
    for (const one of crowd) one.reset();
    attackers.push(...crowd);
  }
  return tollOf(2 * attackers.length, attackers);
}

/** Waits until a client is served: until the server has noticed that the attackers are gone, it has no memory for one. */
async function recover(address: string): Promise<void> {
  await eventually("a client is served after the attack", async () => {
    const client = new Attacker(address);
    client.send(get("/still"));
    const status = await latestAnswer(client, 1);
    client.drop();
    return status === 200;
  });
}

/** Attacks a process. It must live on, answer ordinary requests, and end in order and without a word. */
async function attackOnce(nound: NoundProcess, attack: (nound: NoundProcess) => Promise<Toll>): Promise<Toll> {
  const expectOrder = ({ status, signal, stdout, stderr }: Ending): void => {
    if (status !== 0 || stdout !== "" || stderr !== "")
      throw new Error(`The server ended with ${signal ?? status} and said: ${stdout}${stderr}`);
  };
  try {
    const died = nound.ended.then((ending): never => {
      expectOrder(ending);
      throw new Error("The server ended by itself.");
    });
    const served = attack(nound).then(async (toll) => {
      await recover(nound.address);
      await askOrdinarily(nound.address, ordinaryRequests, 100);
      return toll;
    });
    const toll = await Promise.race([served, died]).catch(async (error: unknown) => {
      // If it has ended, its clients notice that first, and its status says more.
      await Promise.race([died, delay(1_000)]);
      throw error;
    });
    expectOrder(await nound.stop());
    return toll;
  } finally {
    nound.kill();
  }
}

/** Attacks one process after the other. */
function endOfMemory(
  name: string,
  start: () => Promise<NoundProcess>,
  attack: (nound: NoundProcess) => Promise<Toll>,
): HostileCase {
  const run = async (): Promise<Outcome> => {
    let [tried, refused] = [0, 0];
    for (let count = 0; count < runs; count++) {
      const toll = await attackOnce(await start(), attack);
      tried += toll.tried;
      refused += toll.refused;
    }
    return { tried, refused, survived: `${runs} of ${runs} processes` };
  };
  return { name, run };
}

const values = Object.fromEntries(names.map((name) => [name, { kind: "value", default: {} }] as const));

/** The cases. */
export const memoryEnd: readonly HostileCase[] = [
  endOfMemory(
    "states of 16 nouns that fill 4 MB, and reads of all of them",
    () => startNound({ nouns: { ...nouns, ...values }, limits: { memoryBytes } }),
    fillStates,
  ),
  // The sanitizers reserve terabytes of addresses.
  ...(memoryNotJudged === undefined
    ? [
        endOfMemory(
          "uploads of 4 KB in 280 KB of address space",
          async () => {
            const nound = await startNound({ nouns });
            leaveAddressSpace(nound, 280_000);
            return nound;
          },
          upload,
        ),
      ]
    : []),
  endOfMemory(
    "chunked bodies of 64 KB that grow in 4 MB",
    () => startNound({ nouns, limits: { memoryBytes, bodyBytes: 65_536 } }),
    uploadChunks,
  ),
];
