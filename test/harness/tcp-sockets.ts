/**
 * The TCP sockets of this machine, as the kernel lists them (proc_pid_net(5)). Nothing is connected to, so no program
 * sees it.
 */
import { readFileSync } from "node:fs";

/** A socket: one end of a connection, or one that listens. */
export interface TcpSocket {
  readonly port: number;
  /** The port of the other end; 0 of a listening socket. */
  readonly peer: number;
  readonly isListening: boolean;
  /** Bytes that the kernel holds: sent and not acknowledged, or not sent yet. */
  readonly unsent: number;
  /**
   * Bytes that were received and not read. Of a listening socket, connections that are complete and not accepted yet.
   */
  readonly unread: number;
  /** By which /proc/PID/fd names it. */
  readonly inode: number;
}

/**
 * @returns the two numbers of a pair in hexadecimal, such as an address with its port; of an address, only the second
 * is right.
 */
function numbers(pair: string): readonly [number, number] {
  const [first = "", second = ""] = pair.split(":");
  return [Number.parseInt(first, 16), Number.parseInt(second, 16)];
}

/** @returns the sockets of IPv4, or those of IPv6. */
export function tcpSockets(family: "tcp" | "tcp6" = "tcp"): readonly TcpSocket[] {
  const lines = readFileSync(`/proc/net/${family}`, "latin1").trimEnd().split("\n").slice(1);
  return lines.map((line) => {
    const [, local = "", remote = "", state, queues = "", , , , , inode] = line.trim().split(/\s+/);
    const [unsent, unread] = numbers(queues);
    const [port, peer] = [local, remote].map((pair) => numbers(pair)[1]) as [number, number];
    return { port, peer, isListening: state === "0A", unsent, unread, inode: Number(inode) };
  });
}
