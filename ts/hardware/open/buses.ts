/**
 * The buses of an application: the device's own, or simulated ones. They are not in platform.ts, because the stock
 * program does not use them.
 */
import * as bus from "nound:bus";
import type { Bus } from "../../native/bus.ts";
import { SimulatedBus } from "../../native/simulated/bus.ts";
import { isSimulated } from "../../platform/platform.ts";

/** The simulated buses; undefined on a real device. */
export const simulatedBus: SimulatedBus | undefined = isSimulated ? new SimulatedBus() : undefined;

export const buses: Bus = simulatedBus ?? bus;
