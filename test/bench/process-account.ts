/** What the kernel has accounted to a process (proc(5)). */
import { readdirSync, readFileSync } from "node:fs";

/** A clock tick of /proc/PID/stat is this many ns on every Linux: USER_HZ is 100 in the kernel's interface. */
const tick = 10_000_000;

/** @param text /proc/PID/task/TID/schedstat. @returns ns on a processor. */
export function runTime(text: string): number {
  return Number(text.split(" ")[0]);
}

/**
 * @param text /proc/PID/stat. @returns ns that children have used which ended and were waited for: a CGI script is one.
 */
export function childTime(text: string): number {
  // The name in parentheses may hold spaces: count the fields behind it. cutime and cstime are fields 16 and 17.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * tick;
}

/**
 * @param text /proc/PID/smaps_rollup. @returns resident bytes; exact, where VmRSS of /proc/PID/status is an estimate.
 */
export function residentBytes(text: string): number {
  return Number(/^Rss:\s+(\d+) kB$/m.exec(text)?.[1]) * 1024;
}

/** @returns ns of processor time that a process has used by now, on all its threads and by its children. */
export function processorTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
    runTime(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1")),
  );
  return threads.reduce((sum, time) => sum + time, 0) + childTime(readFileSync(`/proc/${pid}/stat`, "latin1"));
}

/** @returns bytes of a process that are resident now, its program's pages included. */
export function residentMemory(pid: number): number {
  return residentBytes(readFileSync(`/proc/${pid}/smaps_rollup`, "latin1"));
}

/** @returns a process and those below it. */
export function processTree(pid: number): readonly number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, , parent] = readFileSync(`/proc/${name}/stat`, "latin1").replace(/^.*\)/s, "()").split(" ");
        return [[Number(name), Number(parent)] as const];
      } catch {
        return []; // it has ended
      }
    });
  const below = (id: number): number[] => [
    id,
    ...parents.filter(([, parent]) => parent === id).flatMap(([child]) => below(child)),
  ];
  return below(pid);
}

/** @returns ns of processor time of a process and those below it. One that ends meanwhile is in its parent's account. */
export function treeTime(pid: number): number {
  return processTree(pid).reduce((sum, one) => {
    try {
      return sum + processorTime(one);
    } catch {
      return sum;
    }
  }, 0);
}
