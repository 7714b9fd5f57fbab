/** The limits of the process. They apply to everything that runs in it, for all servers together. */
import { completeLimits } from "../core/server/options.ts";
import { ofProgram } from "../native/of-program.ts";
import { interruption, memory } from "./platform.ts";

/**
 * The limits of the whole process, for all its servers together.
 *
 * @example
 * const limits: ProcessLimits = { memoryBytes: 16_777_216, nounBusyTime: 500 };
 * limitProcess(limits);
 */
export interface ProcessLimits {
  /** ms of processor time that a call of a noun, or one of its callbacks, may use. 1000 by default. */
  readonly nounBusyTime: number;
  /** Bytes of memory that the script may use, including nouns and requests. 32 MiB by default. */
  readonly memoryBytes: number;
}

/** The limits by default. */
export const defaultProcessLimits: ProcessLimits = { nounBusyTime: 1_000, memoryBytes: 33_554_432 };

const chosen = ofProgram(() => ({ isLimited: false, memoryBytes: defaultProcessLimits.memoryBytes }));

/**
 * Sets the limits of the process, instead of the earlier ones. Call it before the program uses much memory. A program
 * that never calls it has the default limits from the moment its first `Server` listens.
 * @param limits the limits that differ from the defaults.
 * @throws RangeError naming a limit that is not a positive whole number.
 *
 * @example
 * limitProcess({ memoryBytes: 16_777_216 });
 * const panel = new Server();
 * const maintenance = new Server({ limits: { maxConnections: 2 } });
 */
export function limitProcess(limits: Partial<ProcessLimits>): void {
  const { nounBusyTime, memoryBytes } = completeLimits(limits, defaultProcessLimits);
  interruption.limitCalls(nounBusyTime);
  memory.limitMemory(memoryBytes);
  Object.assign(chosen(), { isLimited: true, memoryBytes });
}

/**
 * @returns the bytes that all states together may take which clients set. The rest is for answering with all of them at
 * once.
 */
export function memoryForStates(memoryBytes = chosen().memoryBytes): number {
  return memoryBytes / 4;
}

/** Sets the default limits, unless others were chosen. */
export function keepProcessLimits(): void {
  if (!chosen().isLimited) limitProcess({});
}
