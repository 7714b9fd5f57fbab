/** What an attack is, and what is judged of every one: an honest client meanwhile, memory and descriptors afterwards. */
import { allowance, memoryNotJudged } from "../e2e/harness/environment.ts";
import { eventually } from "../e2e/harness/eventually.ts";
import type { NoundProcess } from "../e2e/harness/nound-process.ts";
import { openDescriptors, residentMemory } from "../e2e/harness/process-status.ts";
import { get, put } from "../e2e/harness/request.ts";
import { Attacker, openAttackers } from "./attacker.ts";
import { type Experience, HonestClient } from "./honest-client.ts";

/** What an attack came to. */
export interface Toll {
  /** Connections, requests, signals: what the case's name says. */
  readonly tried: number;
  /** Those of them that were turned away, as they should be. */
  readonly refused: number;
}

/** A line of the table. */
export interface Outcome extends Toll {
  /** How the service came out of it, for people. */
  readonly survived: string;
}

/** One attack. `run` throws when the service does not stand it. */
export interface HostileCase {
  readonly name: string;
  run(): Promise<Outcome>;
}

/**
 * kB that the resident memory may be larger by after an attack than after as many well-behaved connections as there may be.
 * How many free pages lie between used ones depends on the order in which connections came and went: it varies by 500 KB, without a
 * trend over a hundred thousand of them. This is for leaks of the size of a connection; the builds with sanitizers find one of a byte.
 */
const memoryTolerance = 1_024;

/** ms until what the attackers held is given back: the server's longest time limit here, and some. */
const recoveryTime = 20_000;

/** ms until the memory is given back. */
const memoryRecoveryTime = 5_000;

/** Uses the server as much as it may be used, so that what it sets up once is there. */
export async function warmUp(nound: NoundProcess, connections = 128): Promise<void> {
  const descriptors = openDescriptors(nound.pid);
  for (let round = 0; round < 3; round++) {
    const users = await openAttackers(nound.address, connections);
    for (const user of users) user.send(put("/note", { text: "x".repeat(1_000) }) + get("/still").repeat(8));
    await Promise.all(users.map((user) => user.answers(9)));
    for (const user of users) user.drop();
    await eventually("the users are gone", () => openDescriptors(nound.pid) === descriptors);
  }
}

function describe({ answered, busy, slowest }: Experience): string {
  const refusals = busy > 0 ? `, ${busy} times 503` : "";
  return `${answered + busy} honest requests${refusals}, slowest ${Math.round(slowest)} ms`;
}

/** How an attack is judged, where not as usual. */
export interface Judgement {
  /** False where a new connection cannot be had meanwhile; the case looks after its honest client itself. */
  readonly honest?: boolean;
  /** False where the service under attack is not one whose memory can be compared. */
  readonly memory?: boolean;
}

/** Attacks a warmed-up server, judges it, and ends it, which must happen in order and without a word. */
export async function withstand(
  nound: NoundProcess,
  attack: () => Promise<Toll>,
  { honest = true, memory = true }: Judgement = {},
): Promise<Outcome> {
  try {
    const descriptors = openDescriptors(nound.pid);
    const before = residentMemory(nound.pid);
    const client = honest ? new HonestClient(nound.address) : undefined;
    const toll = await attack();
    const experience = await client?.stop();
    const after = await recover(nound, descriptors, memory ? before + memoryTolerance : undefined);
    const growth = `${after - before >= 0 ? "+" : ""}${after - before} kB`;
    const { status, signal, stdout, stderr } = await nound.stop();
    if (status !== 0 || stdout !== "" || stderr !== "")
      throw new Error(`The server ended with ${signal ?? status} and said: ${stdout}${stderr}`);
    return { ...toll, survived: [experience && describe(experience), growth].filter(Boolean).join("; ") };
  } finally {
    nound.kill();
  }
}

/** Waits until descriptors and memory are back. @returns the resident memory, in kB. */
async function recover(nound: NoundProcess, descriptors: number, memory: number | undefined): Promise<number> {
  await eventually(
    `${descriptors} descriptors are open as before; there are ${openDescriptors(nound.pid)}`,
    () => openDescriptors(nound.pid) <= descriptors,
    recoveryTime,
  );
  const last = new Attacker(nound.address);
  last.send(get("/still"));
  await last.answers(1);
  last.drop();
  if (memory !== undefined && memoryNotJudged === undefined)
    await eventually(
      `the resident memory is ${memory} kB at most; it is ${residentMemory(nound.pid)} kB`,
      () => residentMemory(nound.pid) <= memory,
      memoryRecoveryTime,
    );
  return residentMemory(nound.pid);
}

/** Runs something again and again for a time, a few at once. @returns how often. */
export async function forSeconds(seconds: number, abreast: number, act: () => Promise<void>): Promise<number> {
  const end = performance.now() + allowance(seconds * 1_000);
  let count = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      await act();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: abreast }, worker));
  return count;
}
