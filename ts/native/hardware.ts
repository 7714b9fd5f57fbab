/** The hardware of a device, as the C modules open it. */
import type { Bus } from "./bus.ts";
import type { Files } from "./files.ts";
import type { Gpio } from "./gpio.ts";
import type { Storage } from "./storage.ts";
import type { Sysfs } from "./sysfs.ts";

/** The C modules `nound:gpio`, `nound:sysfs`, `nound:storage` `nound:files` and `nound:bus`, or their simulated twins. */
export interface DeviceHardware {
  readonly gpio: Gpio;
  readonly sysfs: Sysfs;
  readonly storage: Storage;
  readonly files: Files;
  readonly bus: Bus;
}
