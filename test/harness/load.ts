/** A load of pipelined requests over a few connections, its answers checked by their statuses. */
import { connect } from "node:net";
import { connectOptions } from "./address.ts";
import { within } from "./eventually.ts";
import { AnswerReader } from "./response.ts";

/** One request of a load and the status of its answer. */
export interface LoadRequest {
  /** One character a byte. */
  readonly bytes: string;
  readonly status: number;
}

/** Where a request holds this, each batch has a number there that no batch before it had. */
export const serialMark = "########";

let serial = 0;

/** The bytes of a batch, of which a function makes the next ones each time. */
function nextBytes(batch: readonly LoadRequest[]): () => Buffer {
  const text = batch.map((request) => request.bytes).join("");
  const same = Buffer.from(text, "latin1");
  if (!text.includes(serialMark)) {
    return () => same;
  }
  return () => {
    serial += 1;
    return Buffer.from(text.replaceAll(serialMark, String(serial).padStart(serialMark.length, "0")), "latin1");
  };
}

/** Sends the batch `rounds` times over one connection, each time when the batch before was answered. */
function sendBatches(address: string, batch: readonly LoadRequest[], rounds: number): Promise<void> {
  const next = nextBytes(batch);
  return new Promise((resolve, reject) => {
    const socket = connect(connectOptions(address));
    let round = 0;
    let answered = 0;
    const reader = new AnswerReader();
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`The server closed a connection of the load after ${round} rounds.`)));
    socket.on("connect", () => socket.write(next()));
    socket.on("data", (bytes: string) => {
      for (const { status } of reader.take(bytes)) {
        if (status !== batch[answered]?.status) {
          socket.destroy();
          reject(new Error(`Request ${answered} of the batch got ${status} in round ${round}.`));
          return;
        }
        answered += 1;
      }
      if (answered === batch.length) {
        answered = 0;
        round += 1;
        if (round === rounds) {
          socket.removeAllListeners("close");
          socket.end();
          resolve();
        } else {
          socket.write(next());
        }
      }
    });
  });
}

/**
 * Sends a batch again and again, over connections that each end after 250 batches and are followed by new ones.
 * @param total how many requests at least.
 * @param connections how many connections at once.
 */
export async function sendLoad(
  address: string,
  batch: readonly LoadRequest[],
  total: number,
  connections = 4,
): Promise<void> {
  const perConnection = 250;
  let left = Math.ceil(total / batch.length / perConnection);
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await within(`${perConnection} batches are answered`, sendBatches(address, batch, perConnection));
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
}
