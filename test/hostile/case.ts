/**
 * What an attack is, and what is judged of every one: an honest client meanwhile, memory and descriptors afterwards.
 */
import { memoryNotJudged } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import type { NoundProcess } from "../harness/nound-process.ts";
import { openDescriptors, peakResidentMemory, residentMemory } from "../harness/process-status.ts";
import { get, put } from "../harness/request.ts";
import { Attacker, openAttackers } from "./attacker.ts";
import { HonestClient, judgeExperience, type Manners } from "./honest-client.ts";
import { askOrdinarily, type OrdinaryRequest } from "./ordinary-requests.ts";
import { inTime } from "./time.ts";

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

/** One attack. `run` throws if the service does not survive it. */
export interface HostileCase {
  readonly name: string;
  run(): Promise<Outcome>;
}

/**
 * kB that the resident memory may be larger by after an attack than after as many well-behaved connections as there may
 * be. How many free pages lie between used ones depends on the order in which connections came and went: it varies by
 * 500 KB, without a trend over a hundred thousand of them. This is for leaks of the size of a connection; the builds
 * with sanitizers find one of a byte.
 */
const memoryTolerance = 1_024;

/** kB that the resident memory may have at any moment: the limit `memoryBytes`, and what is outside of it. */
const memoryCeiling = 32_768 + 4_096;

/** ms until what the attackers held is given back: the server's longest time limit here, and some. */
const recoveryTime = 20_000;

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

/** How an attack is judged, where not as usual. */
export interface Judgement {
  /**
   * How the honest client asks; undefined where a new connection cannot be had meanwhile, and the case sees to its
   * client itself.
   */
  readonly honest?: Manners | undefined;
  /** False where the service under attack is not one whose memory can be compared. */
  readonly memory?: boolean;
  /** ms until what the attackers held is given back. */
  readonly recovery?: number;
  /** What is asked afterwards, a hundred times each. */
  readonly requests?: readonly OrdinaryRequest[];
}

/** Attacks a warmed-up server, judges it, and ends it, which must happen in order and without a word. */
export async function withstand(
  nound: NoundProcess,
  attack: () => Promise<Toll>,
  judgement: Judgement = {},
): Promise<Outcome> {
  const { memory = true, requests = [] } = judgement;
  try {
    const descriptors = openDescriptors(nound.pid);
    const before = residentMemory(nound.pid);
    const manners = "honest" in judgement ? judgement.honest : {};
    const client = manners === undefined ? undefined : new HonestClient(nound, manners);
    const toll = await attack();
    const experience = await client?.stop();
    const honest = experience && manners && judgeExperience(experience, manners);
    const after = await recover(nound, { descriptors, memory: memory ? before : undefined }, judgement.recovery);
    await askOrdinarily(nound.address, requests, 100);
    const growth = `${after - before >= 0 ? "+" : ""}${after - before} kB`;
    const { status, signal, stdout, stderr } = await nound.stop();
    if (status !== 0 || stdout !== "" || stderr !== "")
      throw new Error(`The server ended with ${signal ?? status} and said: ${stdout}${stderr}`);
    return { ...toll, survived: [honest, growth].filter(Boolean).join("; ") };
  } finally {
    nound.kill();
  }
}

/**
 * Waits until descriptors and memory are what they were, or nearly so, and asks once.
 * @param before as it was; no memory where that cannot be compared.
 * @returns the resident memory, in kB.
 * @throws Error when they do not come back in time, and when the most memory there was is more than a server may have.
 */
async function recover(
  { pid, address }: NoundProcess,
  before: { readonly descriptors: number; readonly memory: number | undefined },
  time = recoveryTime,
): Promise<number> {
  const deadline = performance.now() + time;
  await inTime("the descriptors are those from before", () => openDescriptors(pid) <= before.descriptors, time);
  const last = new Attacker(address);
  last.send(get("/still"));
  await last.answers(1);
  last.drop();
  if (before.memory !== undefined && memoryNotJudged === undefined) {
    const most = before.memory + memoryTolerance;
    const left = Math.max(0, deadline - performance.now());
    await inTime(`memory is at most ${most} kB`, () => residentMemory(pid) <= most, left).catch(() => {
      throw new Error(`The resident memory is ${residentMemory(pid)} kB, more than ${most} kB.`);
    });
    const peak = peakResidentMemory(pid);
    if (peak > memoryCeiling) throw new Error(`The resident memory was ${peak} kB, more than ${memoryCeiling} kB.`);
  }
  return residentMemory(pid);
}
