/** HTTP requests to nound on the board, each on a connection of its own: the program behind the port comes and goes. */
import { request } from "node:http";
import type { State } from "../../../ts/core/noun/state.ts";
import { patience } from "../../harness/patience.ts";

/** An answer. */
export interface Answer {
  readonly status: number;
  readonly state: State;
}

/** The four verbs. `path` is `/pump`. */
export interface Requester {
  get(path: string): Promise<Answer>;
  put(path: string, state: State): Promise<Answer>;
  post(path: string, change?: State): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

async function ask(port: number, method: string, path: string, body?: State): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = text === undefined ? {} : { "content-type": "application/json", "content-length": text.length };
  return await new Promise<Answer>((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method, path, headers, agent: false, timeout: patience };
    const asking = request(options, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.once("error", reject);
      response.once("end", () => {
        const state = JSON.parse(Buffer.concat(pieces).toString("utf8")) as State;
        resolve({ status: response.statusCode ?? 0, state });
      });
    });
    asking.once("timeout", () => asking.destroy(new Error(`${method} ${path} had no answer for ${patience} ms.`)));
    asking.once("error", reject);
    asking.end(text);
  });
}

/** @param port on the loopback interface. */
export function requester(port: number): Requester {
  return {
    get: (path) => ask(port, "GET", path),
    put: (path, state) => ask(port, "PUT", path, state),
    post: (path, change = {}) => ask(port, "POST", path, change),
    delete: (path) => ask(port, "DELETE", path),
  };
}

/**
 * @returns whether somebody answers there. QEMU takes every connection and drops it when nobody listens in the guest.
 */
export async function isServed(port: number): Promise<boolean> {
  try {
    await ask(port, "GET", "/");
    return true;
  } catch {
    return false;
  }
}
