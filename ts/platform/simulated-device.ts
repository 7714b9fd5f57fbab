/**
 * The simulated device, which `--simulate` uses instead of the real one. It touches nothing of this machine, not even
 * files.
 */
import type { DeviceHardware } from "../native/hardware.ts";
import type { Clock } from "../native/loop.ts";
import { SimulatedFiles } from "../native/simulated/files.ts";
import { SimulatedGpio } from "../native/simulated/gpio.ts";
import { SimulatedInput } from "../native/simulated/input.ts";
import { SimulatedStorage } from "../native/simulated/storage.ts";
import { SimulatedSysfs } from "../native/simulated/sysfs.ts";

/** Hardware that can be moved from outside. */
export class SimulatedDevice implements DeviceHardware {
  readonly gpio: SimulatedGpio;
  readonly input: SimulatedInput;
  readonly sysfs = new SimulatedSysfs();
  readonly storage = new SimulatedStorage();
  readonly files = new SimulatedFiles();

  /** @param clock gives edges and events their timestamps. */
  constructor(clock: Clock) {
    this.gpio = new SimulatedGpio(clock);
    this.input = new SimulatedInput(clock);
  }
}
