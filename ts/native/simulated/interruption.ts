/** The simulated twin of `nound:interruption`: it calls, and interrupts nothing. */
import type { Interruption } from "../interruption.ts";

export class SimulatedInterruption implements Interruption {
  limitCalls(): void {}

  call<Args extends readonly unknown[], Result>(callee: (...args: Args) => Result, ...args: Args): Result {
    return callee(...args);
  }

  exempt<Args extends readonly unknown[], Result>(callee: (...args: Args) => Result, ...args: Args): Result {
    return callee(...args);
  }

  isInterruption(_error: unknown): boolean {
    return false;
  }
}
