/** How many addresses a process uses and may use: what is left is all the memory that it may still take. */
import { spawnSync } from "node:child_process";
import type { NoundProcess } from "../harness/nound-process.ts";
import { addressSpace } from "../harness/process-status.ts";

/** @param bytes beside what it uses now. @throws Error without prlimit. */
export function leaveAddressSpace({ pid }: NoundProcess, bytes: number): void {
  limit(pid, String(Math.floor(addressSpace(pid) * 1_024 + bytes)));
}

/** Takes the limit away. @throws Error without prlimit. */
export function freeAddressSpace({ pid }: NoundProcess): void {
  limit(pid, "unlimited");
}

function limit(pid: number, bytes: string): void {
  const { status } = spawnSync("prlimit", [`--pid=${pid}`, `--as=${bytes}:unlimited`]);
  if (status !== 0) throw new Error("prlimit, of util-linux, could not limit the address space.");
}
