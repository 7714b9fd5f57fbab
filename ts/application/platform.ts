/**
 * What an application stands on: the C modules, or with the option `--simulate` or NOUND_SIMULATE in the environment the
 * simulated twins of those that touch the device. On Node the C modules themselves are twins (ts/native/simulated/modules/).
 */
import * as files from "nound:files";
import * as gpio from "nound:gpio";
import * as guard from "nound:guard";
import * as hash from "nound:hash";
import * as loop from "nound:loop";
import * as memory from "nound:memory";
import * as net from "nound:net";
import * as serial from "nound:serial";
import * as storage from "nound:storage";
import * as sysfs from "nound:sysfs";
import * as system from "nound:system";
import type { DeviceHardware } from "../native/hardware.ts";
import { SimulatedFiles } from "../native/simulated/files.ts";
import { SimulatedGpio } from "../native/simulated/gpio.ts";
import { SimulatedSerial } from "../native/simulated/serial.ts";
import { SimulatedStorage } from "../native/simulated/storage.ts";
import { SimulatedSysfs } from "../native/simulated/sysfs.ts";

export { guard, hash, loop, memory, net, system };

/** The twins, where the device's hardware is simulated. */
export interface SimulatedDevice extends DeviceHardware {
  readonly gpio: SimulatedGpio;
  readonly sysfs: SimulatedSysfs;
  readonly serial: SimulatedSerial;
  readonly files: SimulatedFiles;
}

function isSet(variable: string): boolean {
  return !["", "0", undefined].includes(system.environment(variable));
}

/** Whether the debug log is written. */
export const isDebugging = system.args.includes("--debug") || isSet("NOUND_DEBUG");

/** The simulated device; undefined where there is a real one. */
export const simulated: SimulatedDevice | undefined =
  system.args.includes("--simulate") || isSet("NOUND_SIMULATE")
    ? {
        gpio: new SimulatedGpio(loop),
        sysfs: new SimulatedSysfs(),
        storage: new SimulatedStorage(),
        serial: new SimulatedSerial(),
        files: new SimulatedFiles(),
      }
    : undefined;

/** The device. */
export const hardware: DeviceHardware = simulated ?? { gpio, sysfs, storage, serial, files };
