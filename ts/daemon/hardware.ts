/** The hardware that nouns are built on: the device's own, or simulated. */
import type { Gpio } from "../native/gpio.ts";
import type { Clock } from "../native/loop.ts";
import { SimulatedGpio } from "../native/simulated/gpio.ts";
import { SimulatedStorage } from "../native/simulated/storage.ts";
import { SimulatedSysfs } from "../native/simulated/sysfs.ts";
import type { Storage } from "../native/storage.ts";
import type { Sysfs } from "../native/sysfs.ts";

/** The C modules `nound:gpio`, `nound:sysfs` and `nound:storage`, or their simulated twins. */
export interface Hardware {
  readonly gpio: Gpio;
  readonly sysfs: Sysfs;
  readonly storage: Storage;
}

/** Hardware that can be moved from outside. */
export interface SimulatedHardware extends Hardware {
  readonly gpio: SimulatedGpio;
  readonly sysfs: SimulatedSysfs;
}

/** What `--simulate` gives: nothing of this device is touched, its files neither. */
export function simulateHardware(clock: Clock): SimulatedHardware {
  return { gpio: new SimulatedGpio(clock), sysfs: new SimulatedSysfs(), storage: new SimulatedStorage() };
}
