/**
 * The modules below an application: the C modules. With the option `--simulate` or `--check`, or NOUND_SIMULATE in the
 * environment, those that touch the device are replaced by simulated ones. On Node all are simulated
 * (ts/native/simulated/modules/).
 */
import * as files from "nound:files";
import * as gpio from "nound:gpio";
import * as hash from "nound:hash";
import * as interruption from "nound:interruption";
import * as loop from "nound:loop";
import * as memory from "nound:memory";
import * as net from "nound:net";
import * as storage from "nound:storage";
import * as sysfs from "nound:sysfs";
import * as system from "nound:system";
import type { DeviceHardware } from "../native/hardware.ts";
import { ofProgram } from "../native/of-program.ts";
import { explain } from "./failures.ts";
import { SimulatedDevice } from "./simulated-device.ts";

export { hash, interruption, loop, memory, net, system };

system.onFailure((...facts) => explain(...facts));

/** @returns whether an option is on the command line, before any `--`, or its variable in the environment. */
function isAsked(option: string, variable = ""): boolean {
  const end = system.args.indexOf("--");
  return (
    (end < 0 ? system.args : system.args.slice(0, end)).includes(option) ||
    (variable !== "" && !["", "0", undefined].includes(system.environment(variable)))
  );
}

/** Whether the command line or the environment says to log requests. */
export const isDebugging = isAsked("--debug", "NOUND_DEBUG");

/** Whether the command line has `--check` or `--evidence`. Then no application touches hardware. */
export const isChecking = isAsked("--check") || isAsked("--evidence");

export let isSimulated = isChecking || isAsked("--simulate", "NOUND_SIMULATE");

/** Lets the stock program try the hardware for `--check`. @returns false if the hardware is to be simulated. */
export function reachHardware(): boolean {
  isSimulated = isAsked("--simulate", "NOUND_SIMULATE");
  return !isSimulated;
}

/** @returns the simulated device. Call it only if the hardware is simulated. */
export const simulatedDevice = ofProgram(() => new SimulatedDevice(loop));

const realDevice: DeviceHardware = { gpio, sysfs, storage, files };

export function hardware(): DeviceHardware {
  return isSimulated ? simulatedDevice() : realDevice;
}
