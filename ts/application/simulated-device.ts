/**
 * The simulated device, which `--simulate` uses instead of the real one. It touches nothing of this machine, not even
 * files.
 */
import type { DeviceHardware } from "../native/hardware.ts";
import type { Clock } from "../native/loop.ts";
import { SimulatedFiles } from "../native/simulated/files.ts";
import { SimulatedGpio } from "../native/simulated/gpio.ts";
import { SimulatedStorage } from "../native/simulated/storage.ts";
import { SimulatedSysfs } from "../native/simulated/sysfs.ts";

/** Hardware that can be moved from outside. */
export interface SimulatedDevice extends DeviceHardware {
  readonly gpio: SimulatedGpio;
  readonly sysfs: SimulatedSysfs;
  readonly files: SimulatedFiles;
}

/** @param clock gives the edges their timestamps. */
export function simulateDevice(clock: Clock): SimulatedDevice {
  return {
    gpio: new SimulatedGpio(clock),
    sysfs: new SimulatedSysfs(),
    storage: new SimulatedStorage(),
    files: new SimulatedFiles(),
  };
}
