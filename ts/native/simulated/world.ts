/**
 * The simulated device that the simulated C modules use, in tests of an application on Node. A process has one, as it
 * has one real device.
 */
import { ofProgram } from "../of-program.ts";
import { SimulatedAcceptor } from "./acceptor.ts";
import { SimulatedBus } from "./bus.ts";
import { SimulatedClock } from "./clock.ts";
import { SimulatedConnector } from "./connector.ts";
import { SimulatedGpio } from "./gpio.ts";
import { SimulatedInput } from "./input.ts";
import { SimulatedInterruption } from "./interruption.ts";
import { SimulatedMemory } from "./memory.ts";
import { SimulatedNet } from "./net.ts";
import { SimulatedSerial } from "./serial.ts";
import { SimulatedStorage } from "./storage.ts";
import { SimulatedSysfs } from "./sysfs.ts";

export class World {
  readonly clock = new SimulatedClock();
  readonly interruption = new SimulatedInterruption();
  readonly memory = new SimulatedMemory();
  readonly net = new SimulatedNet();
  readonly connector = new SimulatedConnector();
  readonly acceptor = new SimulatedAcceptor();
  readonly gpio = new SimulatedGpio(this.clock);
  readonly input = new SimulatedInput(this.clock);
  readonly sysfs = new SimulatedSysfs();
  readonly storage = new SimulatedStorage();
  readonly serial = new SimulatedSerial();
  readonly bus = new SimulatedBus();
  /** The texts of files, by path. */
  readonly files = new Map<string, string>();
  /** The host's own name. */
  hostName = "simulated";
  /** What the kernel says of the clock on the wall. */
  isClockSynchronized = true;
  /** What the program has printed, on either output. */
  printed = "";
  onSignal: ((name: "SIGTERM" | "SIGINT" | "SIGHUP") => void) | undefined;
  /** The status the program has ended with; undefined while it runs. */
  exitStatus: number | undefined;
}

/** @returns the simulated device of the program. */
export const world = ofProgram(() => new World());

/** @returns the functions of a part of the simulated device, each of which calls that of the current one. */
export function functionsOf<Part extends object>(part: () => Part): Part {
  const call = (name: string | symbol, args: readonly unknown[]): unknown => {
    const now: object = part();
    return Reflect.apply(Reflect.get(now, name), now, args);
  };
  return new Proxy({} as Part, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        call(name, args),
  });
}
