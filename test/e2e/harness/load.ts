/** A load of pipelined requests over a few connections, its answers checked by their statuses alone, to be quick. */
import { connect } from "node:net";
import { connectOptions } from "./address.ts";
import { within } from "./eventually.ts";

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

const startOfAnswer = Buffer.from("HTTP/1.1 ", "latin1");

/** Sends the batch `rounds` times over one connection, each time when the batch before was answered. */
function sendBatches(address: string, batch: readonly LoadRequest[], rounds: number): Promise<void> {
  const next = nextBytes(batch);
  const statuses = batch.map((request) => String(request.status));
  return new Promise((resolve, reject) => {
    const socket = connect(connectOptions(address));
    let round = 0;
    let answered = 0;
    let rest = Buffer.alloc(0);
    socket.setNoDelay(true);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`The server closed a connection of the load after ${round} rounds.`)));
    socket.on("connect", () => socket.write(next()));
    socket.on("data", (arrived: Buffer) => {
      const seen = rest.length === 0 ? arrived : Buffer.concat([rest, arrived]);
      let position = 0;
      for (;;) {
        const start = seen.indexOf(startOfAnswer, position);
        if (start < 0 || start + startOfAnswer.length + 3 > seen.length) {
          // What may be the beginning of a status line is kept for the next bytes.
          rest = Buffer.from(
            seen.subarray(start < 0 ? Math.max(position, seen.length - startOfAnswer.length + 1) : start),
          );
          break;
        }
        position = start + startOfAnswer.length + 3;
        const status = seen.toString("latin1", position - 3, position);
        if (status !== statuses[answered]) {
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
      await sendBatches(address, batch, perConnection);
    }
  };
  await within("the load is answered", Promise.all(Array.from({ length: connections }, one)), 300_000);
}
