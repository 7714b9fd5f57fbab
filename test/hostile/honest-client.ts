/**
 * A client that asks what a client should, on a new connection each time, while others attack. It is a thread of its
 * own: the attackers' own work must not be taken for the server's.
 */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { connectOptions } from "../harness/address.ts";
import { slowness } from "../harness/environment.ts";
import { patience as longest } from "../harness/patience.ts";
import { get, post } from "../harness/request.ts";
import { type Response, readResponse } from "../harness/response.ts";
import { judgesTime } from "./time.ts";

/** How it asks. */
export interface Manners {
  /** What it asks for; `/still` unless given. */
  readonly path?: string;
  /** ms between two requests; 100 unless given. */
  readonly interval?: number;
  /** ms within which it wants its answer; 1000 unless given. */
  readonly patience?: number;
  /** How often it tries at most, if its connection is closed without an answer, as browsers do; once unless given. */
  readonly attempts?: number;
  /** Whether each request must have its 200; otherwise ninety-nine of a hundred. */
  readonly every?: boolean;
  /** ms that half of its requests may take at most; not judged unless given. */
  readonly mostMedian?: number;
  /** Whether it asks the noun `/witness` how many of another noun's operations it waits for. */
  readonly counting?: boolean;
}

/** Operations of another noun that a request may wait for. */
const mostOperations = 5;

/** What became of the requests. */
export interface Experience {
  /** 200s. */
  answered: number;
  /** Clean refusals: a whole 503 that says the connection ends. */
  busy: number;
  /** What went wrong with the others. */
  readonly failures: string[];
  /** ms from the call for a connection to the last byte of the answer, in the worst case. */
  slowest: number;
  /** ms that each answered request took, without the time in which other programs had the processors. */
  readonly times: number[];
  /** Operations of the other noun from the request to its answer, in the worst case. */
  waited: number;
}

/** Thrown when a connection was closed or reset before there was an answer. */
class UnansweredError extends Error {}

/** A server under attack. */
interface Attacked {
  readonly address: string;
  readonly pid: number;
}

/**
 * @returns ms that a thread has had a processor, and ms that it has waited for one, since it began (linux,
 * Documentation/scheduler/sched-stats.rst).
 */
function scheduled(thread: string): readonly [number, number] {
  try {
    const [busy, starved] = readFileSync(`/proc/${thread}/schedstat`, "latin1").split(" ");
    return [Number(busy) / 1e6, Number(starved) / 1e6];
  } catch {
    return [0, 0]; // it has ended, or this kernel does not tell
  }
}

/** An answer, and the ms until it was there. */
interface Answered {
  readonly response: Response;
  readonly took: number;
}

/**
 * Asks once. While other programs have the processors, neither the server nor this client can do anything: that time is
 * not the server's.
 * @returns the answer. @throws Error without an answer in time.
 */
function ask({ address, pid }: Attacked, makeRequest: () => string, patience: number): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const socket = connect(connectOptions(address));
    let received = "";
    const time = () => performance.now() - scheduled(`${pid}`)[1] - scheduled("thread-self")[1];
    const since = time();
    const [busy] = scheduled(`${pid}`);
    const deadline = since + patience * slowness;
    const judge = (): void => {
      const left = deadline - time();
      if (left <= 0) end(new Error(`it waited ${patience} ms in vain`));
      else timer = setTimeout(judge, left);
    };
    let timer = setTimeout(judge, patience * slowness);
    const end = (outcome: Error | Response): void => {
      clearTimeout(timer);
      socket.destroy();
      if (outcome instanceof Error) reject(outcome);
      // On a busy machine, both threads wait at the same time. What the server has done meanwhile took its time anyway.
      else resolve({ response: outcome, took: Math.max(scheduled(`${pid}`)[0] - busy, time() - since) });
    };
    socket.once("connect", () => socket.write(makeRequest()));
    socket.setEncoding("latin1");
    socket.on("data", (bytes: string) => {
      received += bytes;
      const response = readResponse(received);
      if (response !== undefined) end(response);
    });
    socket.once("error", (error) => end(new UnansweredError(`it got no answer: ${error.message}`)));
    socket.once("close", () => end(new UnansweredError("its connection was closed without an answer")));
  });
}

/**
 * Asks until there is an answer, at most so many times. @returns the answer. @throws Error without an answer in time.
 */
async function askAgain(
  server: Attacked,
  makeRequest: () => string,
  patience: number,
  attempts: number,
): Promise<Answered> {
  try {
    return await ask(server, makeRequest, patience);
  } catch (error) {
    if (attempts <= 1 || !(error instanceof UnansweredError)) throw error;
    return await askAgain(server, makeRequest, patience, attempts - 1);
  }
}

/** Asks, and takes down what became of it. */
async function experienceOne(server: Attacked, manners: Manners, experience: Experience): Promise<void> {
  const { path = "/still", patience = 1_000, attempts = 1, counting = false } = manners;
  const request = () => (counting ? post("/witness", { since: Date.now() }) : get(path));
  const since = performance.now();
  try {
    const { response, took } = await askAgain(server, request, patience, attempts);
    const { status, fields, body } = response;
    experience.times.push(took);
    if (status === 200) experience.answered += 1;
    else if (status === 503 && fields.get("connection") === "close") experience.busy += 1;
    else experience.failures.push(`it got ${status}`);
    if (counting && status === 200) {
      const { ended } = JSON.parse(body.toString("utf8")) as { ended: number };
      experience.waited = Math.max(experience.waited, ended);
    }
    experience.slowest = Math.max(experience.slowest, performance.now() - since);
  } catch (error) {
    experience.failures.push(error instanceof Error ? error.message : String(error));
  }
}

/** Asks until it is told to stop, and once more. */
async function askOn(server: Attacked, manners: Manners, port: NonNullable<typeof parentPort>): Promise<void> {
  const experience: Experience = { answered: 0, busy: 0, failures: [], slowest: 0, times: [], waited: 0 };
  let stopped = false;
  port.once("message", () => {
    stopped = true;
  });
  do {
    await experienceOne(server, manners, experience);
    await delay(manners.interval ?? 100);
  } while (!stopped);
  port.postMessage(experience);
}

export class HonestClient {
  readonly #worker: Worker;
  readonly #experience: Promise<Experience>;

  constructor({ address, pid }: Attacked, manners: Manners = {}) {
    const workerData = {
      server: { address, pid },
      manners: judgesTime ? manners : { ...manners, patience: longest },
    };
    this.#worker = new Worker(new URL("./honest-client.mjs", import.meta.url), { workerData });
    this.#experience = new Promise((resolve, reject) => {
      this.#worker.once("message", resolve);
      this.#worker.once("error", reject);
    });
    this.#experience.catch(() => undefined); // told by `stop`
  }

  /** Ends after the request under way. */
  async stop(): Promise<Experience> {
    this.#worker.postMessage("stop");
    return await this.#experience;
  }
}

/**
 * Judges what a client went through: of a hundred requests, ninety-nine have their 200, or one where time is not
 * judged.
 * @param every whether all must have it.
 * @returns the experience, for people.
 * @throws Error when more were refused or lost, when one waited for too many operations of another noun, or when half
 *   of them took too long.
 */
export function judgeExperience(experience: Experience, { every = false, mostMedian }: Manners): string {
  const { answered, busy, failures, slowest, times, waited } = experience;
  const median = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
  const total = answered + busy + failures.length;
  const least = judgesTime ? (every ? 1 : 0.99) * total : 1;
  if (answered < least) {
    const [first = `${busy} times 503`] = failures;
    throw new Error(`An honest client had ${answered} of ${total} requests answered with 200; ${first}.`);
  }
  if (waited > mostOperations) throw new Error(`An honest client waited for ${waited} operations of another noun.`);
  if (judgesTime && mostMedian !== undefined && !(median <= mostMedian * slowness)) {
    throw new Error(
      `Half of an honest client's ${total} requests took ${median.toFixed(1)} ms, more than ${mostMedian} ms.`,
    );
  }
  const others = total > answered ? `, ${total - answered} without` : "";
  const operations = waited > 0 ? `, at most ${waited} operations` : "";
  return (
    `${answered} honest requests${others}, slowest ${Math.round(slowest)} ms, median ${median.toFixed(1)} ` +
    `ms${operations}`
  );
}

if (!isMainThread && parentPort !== null) {
  const { server, manners } = workerData as { server: Attacked; manners: Manners };
  await askOn(server, manners, parentPort);
}
