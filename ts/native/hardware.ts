/** The hardware of a device, as the C modules open it. */
import type { Gpio } from "./gpio.ts";
import type { Storage } from "./storage.ts";
import type { Sysfs } from "./sysfs.ts";

/** The C modules `nound:gpio`, `nound:sysfs` and `nound:storage`, or their simulated twins. */
export interface DeviceHardware {
  readonly gpio: Gpio;
  readonly sysfs: Sysfs;
  readonly storage: Storage;
}
