import { readFileSync } from "node:fs";

/** @returns the processes that a process has forked. */
export function childrenOf(pid: number): readonly number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
  return list === "" ? [] : list.split(" ").map(Number);
}
