/**
 * The world that the twins of the C modules stand on where there are none: in tests of an application on Node. One for each
 * process, as the real one.
 */
import { SimulatedBus } from "./bus.ts";
import { SimulatedClock } from "./clock.ts";
import { SimulatedGpio } from "./gpio.ts";
import { SimulatedGuard } from "./guard.ts";
import { SimulatedMemory } from "./memory.ts";
import { SimulatedNet } from "./net.ts";
import { SimulatedSerial } from "./serial.ts";
import { SimulatedStorage } from "./storage.ts";
import { SimulatedSysfs } from "./sysfs.ts";

export class World {
  readonly clock = new SimulatedClock();
  readonly guard = new SimulatedGuard();
  readonly memory = new SimulatedMemory();
  readonly net = new SimulatedNet();
  readonly gpio = new SimulatedGpio(this.clock);
  readonly sysfs = new SimulatedSysfs();
  readonly storage = new SimulatedStorage();
  readonly serial = new SimulatedSerial();
  readonly bus = new SimulatedBus();
  /** The texts of files, by path. */
  readonly files = new Map<string, string>();
  /** What the program has printed, on either output. */
  printed = "";
  /** Whom signals go to. */
  onSignal: ((name: "SIGTERM" | "SIGINT" | "SIGHUP") => void) | undefined;
  /** The status the program has ended with; undefined while it runs. */
  exitStatus: number | undefined;
}

let current = new World();

/** @returns the world of the moment. */
export function world(): World {
  return current;
}

/** Begins a new world: nothing is opened, kept or running. What was made in the old one must not be used any more. */
export function resetWorld(): void {
  current = new World();
}
