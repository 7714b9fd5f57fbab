/** A port of loopback to which a connection hangs: the kernel drops each SYN, because the queue of accepted ones is full. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";

/** Listens, and accepts nothing, because the thread never returns to its loop. */
const listening = `
  const { createServer } = require("node:net");
  const { parentPort } = require("node:worker_threads");
  const server = createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });
`;

/** Connections that the kernel accepts for a queue of 1 (listen(2)). */
const queued = 2;

/** @returns the address, for this test. */
export async function hungAddress(): Promise<string> {
  const worker = new Worker(listening, { eval: true });
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await worker.terminate();
  });
  const [port] = (await once(worker, "message")) as [number];
  for (let count = 0; count < queued; count++) {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    sockets.push(socket);
    await once(socket, "connect");
  }
  return `127.0.0.1:${port}`;
}
