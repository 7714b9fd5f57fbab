/**
 * The simulated twin of `nound:memory`: memory is scarce when the test says so.
 *
 *     const memory = new SimulatedMemory();
 *     memory.scarce = true;
 */
import type { Memory } from "../memory.ts";

/** Memory that is scarce when a test says so. */
export class SimulatedMemory implements Memory {
  /** The result of `isScarce`. */
  scarce = false;

  limitMemory(): void {}

  /** Needs no `this`, as the native function needs none. */
  readonly isScarce = (): boolean => this.scarce;

  usedBytes(): number {
    return 1_000_000;
  }
}
