/** The simulated twin of `nound:guard`: it calls, and interrupts nothing. */
import type { Guard } from "../guard.ts";

/** See the module's description. */
export class SimulatedGuard implements Guard {
  limitCalls(): void {}

  invoke(object: object, method: string, ...args: readonly unknown[]): unknown {
    return (object as Record<string, (...args: readonly unknown[]) => unknown>)[method]?.(...args);
  }

  isInterruption(_error: unknown): boolean {
    return false;
  }
}
