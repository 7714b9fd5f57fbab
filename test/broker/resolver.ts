/** A resolver of names that a test plays, for one process alone. */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { temporaryPath } from "../harness/nound-process.ts";

/** @param query of DNS. @returns the datagrams to answer with, now or later. */
export type Resolver = (query: Buffer) => readonly Buffer[] | Promise<readonly Buffer[]>;

/** The addresses of the resolvers that are there: each test has another one of loopback. */
let last = 0;

/** The addresses of this process, among those that other suites use at the same time. */
const network = `127.${53 + (process.pid % 100)}.${process.pid & 0xff}`;

/** Answers the one question of each connection (RFC 1035, 4.2.2). */
function serveStreams(resolver: Resolver, address: string): Server {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket
      .on("error", () => undefined)
      .on("data", async (bytes) => {
        received = Buffer.concat([received, bytes]);
        if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
        for (const answer of await resolver(received.subarray(2))) {
          socket.write(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 0xff]), answer]));
        }
        socket.end();
      });
  });
  return server.listen(53, address);
}

/**
 * Plays a resolver while something is done.
 * @param act gets the command that makes a process ask this resolver.
 * @param patience of that process: options of resolv.conf(5).
 * @param byStream answers questions by TCP; without it, nobody listens.
 * @param address of the resolver, with a zone where it needs one; one of loopback if left out.
 */
export async function withResolver<T>(
  resolver: Resolver,
  act: (wrapper: readonly string[]) => Promise<T>,
  patience = "timeout:1 attempts:2",
  byStream?: Resolver,
  address = `${network}.${++last}`,
): Promise<T> {
  const socket: Socket = createSocket(address.includes(":") ? "udp6" : "udp4");
  let isOpen = true;
  socket.on("message", async (query, { port, address: from }) => {
    const answers = await resolver(query);
    // A late answer finds a socket that is closed.
    if (isOpen) for (const answer of answers) socket.send(answer, port, from, () => undefined);
  });
  socket.bind(53, address);
  await once(socket, "listening");
  const streams = byStream && serveStreams(byStream, address);
  if (streams !== undefined) await once(streams, "listening");
  const path = temporaryPath("resolv.conf");
  writeFileSync(path, `nameserver ${address}\noptions ${patience}\n`);
  try {
    return await act(["unshare", "-m", "sh", "-c", 'mount --bind "$0" /etc/resolv.conf && exec "$@"', path]);
  } finally {
    isOpen = false;
    socket.close();
    streams?.close();
  }
}
