/** The simulated twin of `nound:guard`: it calls, and interrupts nothing. */
import type { Guard } from "../guard.ts";

export class SimulatedGuard implements Guard {
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
