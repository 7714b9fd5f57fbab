/**
 * The simulated twin of `nound:memory`: memory is scarce when the test says so.
 *
 *     const memory = new SimulatedMemory();
 *     memory.scarce = true;
 */
import type { Memory } from "../memory.ts";

/** Memory without a measure of its own. */
export class SimulatedMemory implements Memory {
  /** What `isScarce` answers. */
  scarce = false;

  limitMemory(): void {}

  isScarce(): boolean {
    return this.scarce;
  }

  usedBytes(): number {
    return 1_000_000;
  }
}
