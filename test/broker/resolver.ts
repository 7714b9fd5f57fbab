/** A resolver of names that a test plays, for one process alone. */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { temporaryPath } from "../harness/nound-process.ts";

/** @param query of DNS. @returns the datagrams to answer with, now or later. */
export type Resolver = (query: Buffer) => readonly Buffer[] | Promise<readonly Buffer[]>;

/** The addresses of the resolvers that are there: each test has another one of loopback. */
let last = 0;

/**
 * Plays a resolver while something is done.
 * @param act gets the command that makes a process ask this resolver.
 * @param patience of that process: options of resolv.conf(5).
 */
export async function withResolver<T>(
  resolver: Resolver,
  act: (wrapper: readonly string[]) => Promise<T>,
  patience = "timeout:1 attempts:2",
): Promise<T> {
  last += 1;
  const address = `127.0.53.${last}`;
  const socket: Socket = createSocket("udp4");
  let isOpen = true;
  socket.on("message", async (query, { port, address: from }) => {
    const answers = await resolver(query);
    // A late answer finds a socket that is closed.
    if (isOpen) for (const answer of answers) socket.send(answer, port, from, () => undefined);
  });
  socket.bind(53, address);
  await once(socket, "listening");
  const path = temporaryPath("resolv.conf");
  writeFileSync(path, `nameserver ${address}\noptions ${patience}\n`);
  try {
    return await act(["unshare", "-m", "sh", "-c", 'mount --bind "$0" /etc/resolv.conf && exec "$@"', path]);
  } finally {
    isOpen = false;
    socket.close();
  }
}
