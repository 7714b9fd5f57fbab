/** The filter of system calls of every target, over every number that its processor's table has. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { layOut, readProgram, runFilter } from "./bpf.ts";
import { selectedTargets } from "./targets.ts";

const allow = 0x7fff_0000;
const refuse = 0x0005_0001; // SECCOMP_RET_ERRNO | EPERM
const kill = 0x8000_0000;

/** By linux/audit.h; and the name of the table in libseccomp. */
const architectures: { readonly [target: string]: readonly [word: number, table: string] } = {
  x86_64: [0xc000_003e, "x86_64"],
  aarch64: [0xc000_00b7, "aarch64"],
  armv7: [0x4000_0028, "arm"],
  armv6: [0x4000_0028, "arm"],
  armv5: [0x4000_0028, "arm"],
  mipsel: [0x4000_0008, "mipsel"],
  mips: [0x0000_0008, "mips"],
  riscv64: [0xc000_00f3, "riscv64"],
};

/** What is allowed whatever its arguments are. Not every table has all of them. */
const allowed = new Set(
  `epoll_wait epoll_pwait epoll_ctl poll ppoll ppoll_time64
  accept accept4 recv recvfrom send sendto shutdown getsockname getpeername getsockopt setsockopt
  read write readv writev pread64 pwrite64 lseek _llseek close ioctl fcntl fcntl64 flock fsync fdatasync
  open openat stat stat64 lstat lstat64 fstat fstat64 newfstatat fstatat64 statx access faccessat faccessat2 readlink readlinkat getcwd
  getdents64 mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2
  munmap mremap madvise brk futex futex_time64 set_robust_list rseq sched_yield exit exit_group
  eventfd2 signalfd4 rt_sigprocmask rt_sigaction rt_sigreturn sigreturn restart_syscall
  clock_gettime clock_gettime64 gettimeofday nanosleep clock_nanosleep clock_nanosleep_time64 getrandom
  getpid gettid getuid geteuid getgid getegid getuid32 geteuid32 getgid32 getegid32`.split(/\s+/),
);
/** What is allowed with some arguments. */
const judged = new Set(["mmap", "mmap2", "mprotect", "tkill", "tgkill"]);

/** The process that the printed filter is for, by seccomp-filter.c. */
const ownProcess = 4_242n;

/** Every number of a processor's table, with its name. */
function tableOf(table: string): ReadonlyMap<number, string> {
  const first = table.startsWith("mips") ? 4_000 : 0;
  const script = `for n in $(seq ${first} ${first + 500}); do echo "$n $(scmp_sys_resolver -a ${table} $n)"; done`;
  const lines = execFileSync("sh", ["-c", script], { encoding: "utf8" }).trim().split("\n");
  return new Map(
    lines
      .map((line) => line.split(" "))
      .filter(([, name]) => name !== "UNKNOWN")
      .map(([number, name = ""]) => [Number(number), name]),
  );
}

describe.each(selectedTargets())("the filter of $name", ({ name, emulator, processors, bigEndian }) => {
  const [architecture = 0, tableName = ""] = architectures[name] ?? [];
  const path = resolve(import.meta.dirname, "../../build", name, "nound-seccomp-filter");
  const program = readProgram(execFileSync(emulator, ["-cpu", processors[0], path], { encoding: "utf8" }));
  const table = tableOf(tableName);
  const verdict = (number: number, values: readonly bigint[] = [], word = architecture): number =>
    runFilter(program, layOut({ number, architecture: word, arguments: values }, bigEndian), bigEndian) >>> 0;
  const numberOf = (call: string): number => {
    const found = [...table].find(([, known]) => known === call);
    if (found === undefined) throw new Error(`${tableName} has no ${call}.`);
    return found[0];
  };

  test("allows what is left to do, and refuses every other number of the table", () => {
    expect(table.size).toBeGreaterThan(250);
    const wrong = [...table].filter(
      ([number, call]) => !judged.has(call) && verdict(number) !== (allowed.has(call) ? allow : refuse),
    );
    expect(wrong.map(([, call]) => call)).toEqual([]);
  });

  test("refuses numbers that no table has, and those of a processor's other tables", () => {
    for (const number of [-1, 1_000, 0x4000_0000, 0x4000_0001, 5_000, 6_000, 0xf_0002])
      if (!table.has(number)) expect(verdict(number >>> 0)).toBe(refuse);
  });

  test("ends a process that calls by another processor's table", () => {
    const words = new Set(Object.values(architectures).map(([word]) => word));
    for (const other of [...words, 0, 0xffff_ffff, 0x4000_0003].filter((word) => word !== architecture))
      for (const number of table.keys()) expect(verdict(number, [], other)).toBe(kill);
  });

  test("maps memory, unless it is to be executed", () => {
    for (const call of ["mmap", "mmap2", "mprotect"].filter((known) => [...table.values()].includes(known))) {
      const mapping = tableName === "arm" && call === "mmap" ? undefined : numberOf(call);
      if (mapping === undefined) continue;
      expect(verdict(mapping, [0n, 4_096n, 3n])).toBe(allow);
      for (const protection of [4n, 5n, 7n]) expect(verdict(mapping, [0n, 4_096n, protection])).toBe(refuse);
    }
  });

  test("sends signals to its own process alone", () => {
    for (const call of ["tkill", "tgkill"]) {
      expect(verdict(numberOf(call), [ownProcess, ownProcess])).toBe(allow);
      for (const other of [0n, 1n, ownProcess + 1n, 0xffff_ffff_ffff_ffffn])
        expect(verdict(numberOf(call), [other, ownProcess])).toBe(refuse);
    }
  });
});
