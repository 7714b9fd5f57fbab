/** Addresses to listen on and to connect to: `127.0.0.1:8080`, `[::1]:8080`, `unix:PATH`. */
import { readFileSync } from "node:fs";
import { createServer, type NetConnectOpts } from "node:net";
import { networkInterfaces } from "node:os";
import { firstPortOfAll } from "./environment.ts";
import { tcpSockets } from "./tcp-sockets.ts";

/** Whether this machine has the loopback address of IPv6. */
export const hasIpv6: boolean = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);

/** What `net.connect` needs to reach an address. */
export function connectOptions(address: string): NetConnectOpts {
  if (address.startsWith("unix:")) {
    return { path: address.slice("unix:".length) };
  }
  const colon = address.lastIndexOf(":");
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(address.slice(colon + 1)) };
}

/** The port of a TCP address. */
export function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(":") + 1));
}

const { VITEST_POOL_ID } = process.env;
// Below the kernel's ephemeral range, so that no client's own port takes one that was just found free; each of vitest's
// workers has its own thousand.
const firstPort = firstPortOfAll + 1_000 * (Number(VITEST_POOL_ID ?? 0) % 10);
let nextPort = firstPort + (process.pid % 700);

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ port, host }, () => probe.close(() => resolve(true)));
  });
}

/** A TCP port nobody listens on. */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  for (let tried = 0; tried < 1_000; tried++) {
    const port = nextPort;
    nextPort = port + 1 >= firstPort + 1_000 ? firstPort : port + 1;
    if (await isFree(port, host)) {
      return port;
    }
  }
  throw new Error(`No free port on ${host}.`);
}

/** A loopback address nobody listens on: `127.0.0.1:PORT`. */
export async function freeAddress(): Promise<string> {
  return `127.0.0.1:${await freePort()}`;
}

/**
 * How many connections the kernel has completed at a listening address of IPv4 that the program has not accepted yet.
 */
export function waitingConnections(address: string): number {
  const listener = tcpSockets().find(({ port, isListening }) => isListening && port === portOf(address));
  if (listener === undefined) throw new Error(`Nobody listens at ${address}.`);
  return listener.unread;
}

/**
 * True when the kernel lists a listening socket at this address. Connects nowhere, so that the program sees nothing of
 * it.
 */
export function isListening(address: string): boolean {
  if (address.startsWith("unix:")) {
    const path = address.slice("unix:".length);
    // The columns of proc(5), /proc/net/unix: Num RefCount Protocol Flags Type St Inode Path; flag 0x10000 is
    // "listening".
    return readFileSync("/proc/net/unix", "latin1")
      .split("\n")
      .some((line) => line.endsWith(` ${path}`) && line.split(/\s+/)[3] === "00010000");
  }
  const sockets = tcpSockets(address.startsWith("[") ? "tcp6" : "tcp");
  return sockets.some(({ port, isListening }) => isListening && port === portOf(address));
}
