/**
 * A client that asks what a client should, on a new connection each time, while others attack. It is a thread of its own: the
 * attackers' own work must not be taken for the server's.
 */
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { connectOptions } from "../e2e/harness/address.ts";
import { allowance } from "../e2e/harness/environment.ts";
import { get } from "../e2e/harness/request.ts";
import { readResponse } from "../e2e/harness/response.ts";

/** ms within which it wants its answer. */
const patience = 1_000;

/** ms between two requests. */
const interval = 100;

/** What became of the requests. */
export interface Experience {
  /** 200s. */
  answered: number;
  /** Clean refusals: a whole 503 that says the connection ends. */
  busy: number;
  /** ms from the call for a connection to the last byte of the answer, in the worst case. */
  slowest: number;
}

/** Asks once. @returns the status. @throws Error when there is neither a 200 nor a clean 503 in time. */
function ask(address: string): Promise<200 | 503> {
  return new Promise((resolve, reject) => {
    const socket = connect(connectOptions(address));
    let received = Buffer.alloc(0);
    const timer = setTimeout(
      () => end(new Error(`An honest client waited ${patience} ms in vain.`)),
      allowance(patience),
    );
    const end = (outcome: Error | 200 | 503): void => {
      clearTimeout(timer);
      socket.destroy();
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    socket.once("connect", () => socket.write(get("/still")));
    socket.on("data", (bytes) => {
      received = Buffer.concat([received, bytes]);
      const response = readResponse(received, "GET")?.response;
      if (response === undefined) return;
      const { status, fields } = response;
      if (status === 200 || (status === 503 && fields.get("connection") === "close")) end(status);
      else end(new Error(`An honest client got ${response.bytes}`));
    });
    socket.once("error", (error) => end(new Error(`An honest client got no answer: ${error.message}`)));
    socket.once("close", () => end(new Error("An honest client's connection was closed without an answer.")));
  });
}

/** Asks until it is told to stop, and once more. */
async function askOn(address: string, port: NonNullable<typeof parentPort>): Promise<void> {
  const experience: Experience = { answered: 0, busy: 0, slowest: 0 };
  let stopped = false;
  port.once("message", () => {
    stopped = true;
  });
  do {
    const since = performance.now();
    const status = await ask(address);
    experience.slowest = Math.max(experience.slowest, performance.now() - since);
    if (status === 200) experience.answered += 1;
    else experience.busy += 1;
    await delay(interval);
  } while (!stopped);
  port.postMessage(experience);
}

/** See the module's description. */
export class HonestClient {
  readonly #worker: Worker;
  readonly #experience: Promise<Experience>;

  constructor(address: string) {
    this.#worker = new Worker(new URL("./honest-client.mjs", import.meta.url), { workerData: address });
    this.#experience = new Promise((resolve, reject) => {
      this.#worker.once("message", resolve);
      this.#worker.once("error", reject);
    });
    this.#experience.catch(() => undefined); // told by `stop`
  }

  /** Ends after the request under way. @throws Error of the request that went wrong. */
  async stop(): Promise<Experience> {
    this.#worker.postMessage("stop");
    return await this.#experience;
  }
}

if (!isMainThread && parentPort !== null) await askOn(workerData as string, parentPort);
