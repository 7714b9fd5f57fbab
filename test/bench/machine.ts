/** What a measurement was made on. */
import { cpus, loadavg, release } from "node:os";

export interface MachineState {
  readonly date: string;
  readonly processor: string;
  readonly processors: number;
  readonly kernel: string;
  /** The load average of the minute before the benchmark: of a machine with nothing else to do it is near 0. */
  readonly loadBefore: number;
}

/** @returns the machine as it is now. */
export function machineState(): MachineState {
  const all = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: all[0]?.model.trim() ?? "unknown",
    processors: all.length,
    kernel: release(),
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}
