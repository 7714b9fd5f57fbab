/** What the kernel says of a process, from /proc (proc(5)). */
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { eventually } from "./eventually.ts";
import { tcpSockets } from "./tcp-sockets.ts";

function statusField(pid: number, name: string): number {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "latin1"));
  if (match?.[1] === undefined) {
    throw new Error(`/proc/${pid}/status has no ${name}.`);
  }
  return Number(match[1]);
}

/** The words of a field of /proc/PID/status: the four user ids of `Uid`, the mask of `CapEff`, and so on. */
export function statusWords(pid: number, name: string): string[] {
  const match = new RegExp(`^${name}:\\s*(.*)$`, "m").exec(readFileSync(`/proc/${pid}/status`, "latin1"));
  if (match?.[1] === undefined) {
    throw new Error(`/proc/${pid}/status has no ${name}.`);
  }
  return match[1].trim().split(/\s+/);
}

/**
 * Whether its first thread waits for events: it sleeps in poll(2) or epoll_wait(2), and not for its keeper, a helper or
 * the end of a thread, as a server does during its start. A process that has ended does not.
 */
export function isAsleep(pid: number): boolean {
  try {
    return statusWords(pid, "State")[0] === "S" && /^0?$|poll/.test(placeOfSleep(pid));
  } catch {
    return false;
  }
}

/** Whether a stopped process is to get a SIGHUP when it goes on. */
export function awaitsHangup(pid: number): boolean {
  return (BigInt(`0x${statusWords(pid, "ShdPnd")[0]}`) & 1n) === 1n;
}

/** The function of the kernel that it sleeps in; "" or "0" where the kernel does not say. */
function placeOfSleep(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/wchan`, "latin1");
  } catch {
    return "";
  }
}

/**
 * Waits until its first thread sleeps whenever it is looked at: what has happened is dealt with, and nothing keeps it
 * busy.
 */
export async function comesToRest(pid: number): Promise<void> {
  let looks = 0;
  await eventually(`process ${pid} comes to rest`, () => {
    looks = isAsleep(pid) ? looks + 1 : 0;
    return looks === 20;
  });
}

/** Resident memory now, in kB. */
export function residentMemory(pid: number): number {
  return statusField(pid, "VmRSS");
}

/** Addresses in use, in kB. */
export function addressSpace(pid: number): number {
  return statusField(pid, "VmSize");
}

/** The most memory that ever was resident, in kB. */
export function peakResidentMemory(pid: number): number {
  return statusField(pid, "VmHWM");
}

/**
 * bytes that a device with three nouns, a broker and Home Assistant has of its own at most: its process with the nouns
 * and its connector, at rest.
 */
export const mostOfDevice = 1_430_000;

/** Memory that it shares with no other process and no file, in kB. */
export function ownMemory(pid: number): number {
  // Pages of a new program that the kernel has not written to its file yet would count.
  const program = openSync(`/proc/${pid}/exe`, "r");
  fsyncSync(program);
  closeSync(program);
  const sum = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
  return Number(/^Private_Dirty: +([0-9]+)/m.exec(sum)?.[1]);
}

/** The processes that its first thread has forked. */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
  return text.trim().split(" ").filter(Boolean).map(Number);
}

/** Whether a process is a connector or an acceptor, or has been forked by one. One that has ended is none. */
export function isHelper(pid: number, kind = "(?:connector|acceptor)"): boolean {
  try {
    const name = readFileSync(`/proc/${pid}/comm`, "latin1");
    return new RegExp(`^nound-${kind}\n$`).test(name) && statusWords(pid, "State")[0] !== "Z";
  } catch {
    return false;
  }
}

/** Whether the memory that a process can write to holds twelve characters or bytes of a text in a row. Root alone may look. */
export function holdsPartOf(text: string | Buffer, pid: number): boolean {
  const parts = Array.from({ length: text.length - 11 }, (_, index) => text.slice(index, index + 12));
  const maps = readFileSync(`/proc/${pid}/maps`, "latin1");
  const memory = openSync(`/proc/${pid}/mem`, "r");
  try {
    for (const [, first = "", end = ""] of maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)) {
      const position = BigInt(`0x${first}`);
      const bytes = Buffer.alloc(Number(BigInt(`0x${end}`) - position));
      const found = bytes.subarray(0, readSync(memory, bytes, 0, bytes.length, position));
      if (parts.some((part) => found.includes(part))) return true;
    }
    return false;
  } finally {
    closeSync(memory);
  }
}

/** How many file descriptors are open. */
export function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Waits until an acceptor has the socket that listens at a port, which is passed to it last. */
export async function acceptsAt(acceptor: number, port: number): Promise<void> {
  const [listener] = tcpSockets().filter((socket) => socket.isListening && socket.port === port);
  const folder = `/proc/${acceptor}/fd`;
  await eventually(`process ${acceptor} accepts at ${port}`, () =>
    readdirSync(folder).some((name) => readlinkSync(`${folder}/${name}`) === `socket:[${listener?.inode}]`),
  );
}

/** How much processor time was used, in clock ticks (100 a second). */
export function processorTicks(pid: number): number {
  // The name in parentheses may hold spaces: count the fields behind it. utime and stime are fields 14 and 15.
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

/** ms of a processor that a process has used (linux, Documentation/scheduler/sched-stats.rst). */
export function processorTime(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;
}

/** How often its first thread has begun to wait. */
export function waits(pid: number): number {
  return Number(statusWords(pid, "voluntary_ctxt_switches")[0]);
}
