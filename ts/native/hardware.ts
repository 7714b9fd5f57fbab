/** The hardware of a device, as the C modules open it. */
import type { Files } from "./files.ts";
import type { Gpio } from "./gpio.ts";
import type { Storage } from "./storage.ts";
import type { Sysfs } from "./sysfs.ts";

/** The C modules `nound:gpio`, `nound:sysfs`, `nound:storage` and `nound:files`, or their simulated twins. */
export interface DeviceHardware {
  readonly gpio: Gpio;
  readonly sysfs: Sysfs;
  readonly storage: Storage;
  readonly files: Files;
}
