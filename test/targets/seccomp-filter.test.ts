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
  accept4 recv recvfrom recvmsg shutdown
  read write readv writev pread64 pwrite64 lseek _llseek close flock fsync fdatasync
  open openat stat stat64 lstat lstat64 fstat fstat64 newfstatat fstatat64 statx access faccessat faccessat2
  readlink readlinkat getcwd getdents64 mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2
  munmap mremap madvise brk futex futex_time64 set_robust_list rseq sched_yield exit exit_group
  eventfd2 signalfd4 rt_sigprocmask rt_sigaction rt_sigreturn sigreturn restart_syscall
  clock_gettime clock_gettime64 gettimeofday nanosleep clock_nanosleep clock_nanosleep_time64 getrandom
  adjtimex clock_adjtime clock_adjtime64
  getpid gettid getuid geteuid getgid getegid getuid32 geteuid32 getgid32 getegid32`.split(/\s+/),
);

/** What every process of TLS may do, whatever the arguments are: move bytes of sockets that are open, and end. */
const movesBytes = `recvfrom recv recvmsg read readv pread64 sendto send shutdown close lseek _llseek
  poll ppoll ppoll_time64 munmap mremap madvise brk fstat fstat64 newfstatat fstatat64 statx
  clock_gettime clock_gettime64 gettimeofday getrandom futex futex_time64
  rt_sigprocmask rt_sigreturn sigreturn restart_syscall exit exit_group getpid gettid`.split(/\s+/);

/** The processes that have certificates, keys or bytes of TLS. */
const ofTls = [
  { process: "tls", allowed: movesBytes, judged: [] },
  { process: "accepted", allowed: movesBytes, judged: ["setsockopt"] },
  {
    process: "acceptor",
    allowed: [...movesBytes, "accept4", "fork", "sendmsg", "set_robust_list", "set_tid_address", "wait4"],
    judged: ["clone", "socketpair", "setsockopt", "getsockopt", "ioctl", "prctl", "seccomp"],
  },
] as const;

/** Numbers of linux/socket.h, asm/socket.h, linux/fcntl.h and asm/ioctls.h that MIPS has otherwise. */
interface Numbers {
  readonly socketLevel: bigint;
  readonly keepAlive: bigint;
  readonly sendBuffer: bigint;
  readonly async: bigint;
  /** TCGETS, TCSETS, TCFLSH, TIOCEXCL, TIOCNXCL, TIOCGWINSZ, TIOCSRS485. */
  readonly terminal: readonly bigint[];
  /** Where asm/ioctl.h puts the direction, and its values to write, to read, and both. */
  readonly directions: { readonly shift: bigint; readonly w: bigint; readonly r: bigint; readonly wr: bigint };
}

const common: Numbers = {
  ...{ socketLevel: 1n, keepAlive: 9n, sendBuffer: 7n, async: 0x2000n },
  terminal: [0x5401n, 0x5402n, 0x540bn, 0x540cn, 0x540dn, 0x5413n, 0x542fn],
  directions: { shift: 30n, w: 1n, r: 2n, wr: 3n },
};
const ofMips: Numbers = {
  ...{ socketLevel: 0xffffn, keepAlive: 8n, sendBuffer: 0x1001n, async: 0x1000n },
  terminal: [0x540dn, 0x540en, 0x5407n, 0x740dn, 0x740en, 0x4008_7468n, 0xc020_542fn],
  directions: { shift: 29n, w: 4n, r: 2n, wr: 6n },
};

/** The commands of ioctl(2) that are allowed: terminals, GPIO, I2C and SPI. */
function commandsOf({ terminal, directions }: Numbers): readonly bigint[] {
  const command = (direction: "w" | "r" | "wr", type: bigint, number: bigint, size: bigint): bigint =>
    (directions[direction] << directions.shift) | (size << 16n) | (type << 8n) | number;
  const gpio = [
    command("r", 0xb4n, 0x01n, 68n),
    ...(
      [
        [0x05n, 256n],
        [0x07n, 592n],
        [0x0dn, 272n],
        [0x0en, 16n],
        [0x0fn, 16n],
      ] as const
    ).map(([number, size]) => command("wr", 0xb4n, number, size)),
  ];
  const spi = [
    command("r", 0x6bn, 1n, 1n),
    ...(
      [
        [0n, 32n],
        [1n, 1n],
        [3n, 1n],
        [4n, 4n],
      ] as const
    ).map(([number, size]) => command("w", 0x6bn, number, size)),
  ];
  return [...terminal, ...gpio, 0x0703n, 0x0705n, 0x0707n, ...spi];
}

/** The numbers from `first` on. */
function range(first: bigint, count: number): readonly bigint[] {
  return Array.from({ length: count }, (_, index) => first + BigInt(index));
}

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
  const programOf = (...process: readonly string[]) =>
    readProgram(execFileSync(emulator, ["-cpu", processors[0], path, ...process], { encoding: "utf8" }));
  const program = programOf();
  const table = tableOf(tableName);
  const numbers = tableName.startsWith("mips") ? ofMips : common;
  const has = (call: string): boolean => [...table.values()].includes(call);
  /** Of two calls that do the same, the one that the C library makes. */
  const [map, control, send] = [
    has("mmap2") ? "mmap2" : "mmap",
    has("fcntl64") ? "fcntl64" : "fcntl",
    has("send") ? "send" : "sendto",
  ];
  /** What is allowed with some arguments. */
  const judged = new Set([map, "mprotect", "tkill", "tgkill", control, "ioctl", "setsockopt", send]);
  const verdict = (number: number, values: readonly bigint[] = [], word = architecture): number =>
    runFilter(program, layOut({ number, architecture: word, arguments: values }, bigEndian), bigEndian) >>> 0;
  const numberOf = (call: string): number => {
    const found = [...table].find(([, known]) => known === call);
    if (found === undefined) throw new Error(`${tableName} has no ${call}.`);
    return found[0];
  };
  const verdictOf = (call: string, ...values: readonly bigint[]): number => verdict(numberOf(call), values);
  /** Of these second arguments, those with which a call is allowed. */
  const allowedOf = (call: string, values: readonly bigint[]): readonly bigint[] =>
    values.filter((value) => verdictOf(call, 3n, value) === allow);

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

  test.each(ofTls)("leaves the process $process only to move bytes", ({ process, allowed: own, judged: rules }) => {
    const filter = programOf(process);
    const of = (number: number, ...values: readonly bigint[]) =>
      runFilter(filter, layOut({ number, architecture, arguments: values }, bigEndian), bigEndian) >>> 0;
    // With arguments of ones, a call with rules is refused.
    const ones = Array.from({ length: 6 }, () => 0xffff_ffff_ffff_ffffn);
    const left = [...table].filter(([number]) => of(number, ...ones) === allow).map(([, call]) => call);
    expect(left.toSorted()).toEqual(own.filter(has).toSorted());
    const byRule = new Set<string>([map, "mprotect", "tkill", control, ...rules]);
    const others = [...table].filter(([, call]) => !left.includes(call) && !byRule.has(call));
    for (const [number] of others) for (const value of [0n, 1n, 2n, 3n]) expect(of(number, value, value)).toBe(refuse);
    expect(of(numberOf("mprotect"), 0n, 4_096n, 7n)).toBe(refuse);
    expect(of(numberOf("socket"), 1n, 1n)).toBe(refuse);
  });

  test("lets the process of an accepted connection give its keys to the kernel, and set nothing else", () => {
    const filter = programOf("accepted");
    const of = (level: bigint, option: bigint) =>
      runFilter(
        filter,
        layOut({ number: numberOf("setsockopt"), architecture, arguments: [3n, level, option] }, bigEndian),
        bigEndian,
      ) >>> 0;
    const numbers = range(0n, 300);
    expect(numbers.filter((level) => of(level, 1n) === allow)).toEqual([282n]); // SOL_TLS
    expect(numbers.filter((option) => of(6n, option) === allow)).toEqual([31n]); // TCP_ULP
  });

  test("lets the acceptor fork, and neither share memory nor make a namespace", () => {
    const filter = programOf("acceptor");
    const of = (call: string, ...values: readonly bigint[]) =>
      runFilter(filter, layOut({ number: numberOf(call), architecture, arguments: values }, bigEndian), bigEndian) >>>
      0;
    expect(of("clone", 17n)).toBe(tableName.startsWith("mips") ? refuse : allow); // SIGCHLD, which is 18 on MIPS
    expect(of("clone", 18n)).toBe(tableName.startsWith("mips") ? allow : refuse);
    for (const flag of [0x100n, 0x200n, 0x400n, 0x2000_0000n, 0x1000_0000n]) expect(of("clone", flag)).toBe(refuse);
    const numbers = range(0n, 64);
    expect(numbers.filter((number) => of("socketpair", number) === allow)).toEqual([1n]);
    expect(numbers.filter((number) => of("prctl", number) === allow)).toEqual([22n]);
    expect(numbers.filter((number) => of("seccomp", number) === allow)).toEqual([1n]);
  });

  test("ends a process that calls by another processor's table", () => {
    const words = new Set(Object.values(architectures).map(([word]) => word));
    for (const other of [...words, 0, 0xffff_ffff, 0x4000_0003].filter((word) => word !== architecture))
      for (const number of table.keys()) expect(verdict(number, [], other)).toBe(kill);
  });

  test("maps memory, unless it is to be executed", () => {
    for (const call of [map, "mprotect"]) {
      expect(verdictOf(call, 0n, 4_096n, 3n)).toBe(allow);
      for (const protection of [4n, 5n, 7n]) expect(verdictOf(call, 0n, 4_096n, protection)).toBe(refuse);
    }
  });

  test("sends signals to its own process alone", () => {
    for (const call of ["tkill", "tgkill"]) {
      expect(verdictOf(call, ownProcess, ownProcess)).toBe(allow);
      for (const other of [0n, 1n, ownProcess + 1n, 0xffff_ffff_ffff_ffffn])
        expect(verdictOf(call, other, ownProcess)).toBe(refuse);
    }
  });

  test("sends bytes without an address, and with no flags but three", () => {
    const flags = [0x40n, 0x4000n, 0x8000n]; // MSG_DONTWAIT, MSG_NOSIGNAL, MSG_MORE
    const bits = range(0n, 32).map((bit) => 1n << bit);
    expect(bits.filter((bit) => verdictOf(send, 3n, 1n, 1n, bit) === allow)).toEqual(flags);
    expect(verdictOf(send, 3n, 1n, 1n, 0xc040n)).toBe(allow);
    if (send === "sendto")
      for (const address of [1n, 0x1_0000_0000n, 0xffff_ffff_ffff_ffffn])
        expect(verdictOf(send, 3n, 1n, 1n, 0n, address, 16n)).toBe(refuse);
  });

  test("commands descriptors by a list", () => {
    const commands = [...range(0n, 64), ...range(1_024n, 64)];
    // F_SETFD, F_GETFL, F_SETFL
    expect(allowedOf(control, commands)).toEqual([2n, 3n, 4n]);
    expect(verdictOf(control, 3n, 4n, 0xffff_ffff_ffff_ffffn & ~numbers.async)).toBe(allow);
    expect(verdictOf(control, 3n, 4n, numbers.async)).toBe(refuse);
  });

  test("commands devices by a list", () => {
    const commands = commandsOf(numbers);
    expect(allowedOf("ioctl", commands)).toEqual(commands);
    // The kernel takes the lower half, and the C library extends its sign.
    expect(
      allowedOf(
        "ioctl",
        commands.map((command) => command | (0xffff_ffffn << 32n)),
      ),
    ).toHaveLength(commands.length);
    const types = [0x00n, 0x07n, 0x4bn, 0x54n, 0x56n, 0x6bn, 0x74n, 0x89n, 0xb4n];
    const others = types.flatMap((type) =>
      [0n, 0x4004n, 0x8004n].flatMap((high) => range((high << 16n) | (type << 8n), 256)),
    );
    expect(
      allowedOf(
        "ioctl",
        others.filter((other) => !commands.includes(other)),
      ),
    ).toEqual([]);
  });

  test("sets options of connections by a list", () => {
    const allowedAt = (level: bigint) =>
      [...range(0n, 64), ...range(0x1000n, 64)].filter(
        (option) => verdictOf("setsockopt", 3n, level, option) === allow,
      );
    const byNumber = (a: bigint, b: bigint) => Number(a - b);
    expect(allowedAt(numbers.socketLevel)).toEqual([numbers.keepAlive, numbers.sendBuffer].sort(byNumber));
    // TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT, TCP_USER_TIMEOUT, TCP_NOTSENT_LOWAT
    expect(allowedAt(6n)).toEqual([4n, 5n, 6n, 18n, 25n]);
    for (const level of [0n, 41n, 255n, 284n]) expect(allowedAt(level)).toEqual([]);
  });
});
