/**
 * Where the binaries under test are and how they are run.
 *
 * - `NOUND_BUILD_DIR`: the folder of `nound`, `nound-e2e` and `nound-hardware`, from the repository's top; `build/host`
 *   unless set.
 * - `NOUND_RUNNER`: a command put before the binary, such as `qemu-arm-static -cpu cortex-a7`.
 * - `NOUND_SLOWNESS`: how many times slower than a native binary to expect it; 10 with a runner, else 1.
 * - `NOUND_FIRST_PORT`: the first of the ten thousand ports to listen on; 20000 unless set. Suites that run at once on
 *   one machine need different ones.
 * - `NOUND_LONG`: set for what takes long, and is in `npm run test:all` alone.
 * - `NOUND_SANITIZERS`: set when the binaries carry sanitizers, whose memory says nothing about the product's.
 */
import { resolve } from "node:path";
import { top } from "./top.ts";

const { NOUND_BUILD_DIR, NOUND_RUNNER, NOUND_SLOWNESS, NOUND_FIRST_PORT, NOUND_SANITIZERS, NOUND_LONG, CI } =
  process.env;

/** The folder of the binaries. */
export const buildDirectory: string = resolve(top, NOUND_BUILD_DIR ?? "build/host");
const runner = (NOUND_RUNNER ?? "").split(" ").filter((word) => word !== "");

/** A program under test. */
export type Program =
  | "nound"
  | "nound-maker"
  | "nound-runtime"
  | "nound-e2e"
  | "nound-hardware"
  | "nound-leaking"
  | "nound-forbidden"
  | "nound-attempts"
  | "nound-forgeries"
  | "nound-acceptor-forgeries"
  | "nound-clear-tls"
  | "nound-clear-runtime"
  | "engine-heap-test"
  | "farewell-test"
  | "inflate-test"
  | "kernel-tls-test"
  | "libc-memory-test"
  | "states-left-test"
  | "tls-flood-test";

/** The words that start a program, the runner's first. */
export function commandOf(program: Program): readonly [string, ...string[]] {
  const [first, ...rest] = [...runner, resolve(buildDirectory, program)];
  return [first ?? program, ...rest];
}

/**
 * How many times slower than a native binary everything is expected to be: so much longer are a server's time limits.
 */
export const slowness = Math.max(1, Number(NOUND_SLOWNESS ?? (runner.length > 0 ? 10 : 1)));

/** The first of the ten thousand ports of this run. */
export const firstPortOfAll = Number(NOUND_FIRST_PORT ?? 20_000);

/** Why the process's memory says nothing in this run, or undefined when it does. */
export const memoryNotJudged: string | undefined =
  runner.length > 0
    ? "the resident memory under a runner is the runner's"
    : NOUND_SANITIZERS !== undefined
      ? "the sanitizers' shadow memory is resident, too"
      : undefined;

/** Whether an emulator runs the binaries: its own threads and files are in what the kernel tells of the process. */
export const isEmulated = runner.length > 0;

/** Whether this run may take long. */
export const isLong = NOUND_LONG !== undefined;

/** Whether the binaries carry sanitizers. */
export const hasSanitizers = NOUND_SANITIZERS !== undefined;

/** True on the build server, where every client program has to be installed. */
export const onBuildServer = CI !== undefined && CI !== "" && CI !== "false";
