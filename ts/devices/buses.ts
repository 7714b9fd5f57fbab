/** The buses of an application: the device's own, or simulated ones. They are not in platform.ts, because the stock program does not use them. */
import * as bus from "nound:bus";
import { simulated } from "../application/platform.ts";
import type { Bus } from "../native/bus.ts";
import { SimulatedBus } from "../native/simulated/bus.ts";

/** The simulated buses; undefined on a real device. */
export const simulatedBus: SimulatedBus | undefined = simulated === undefined ? undefined : new SimulatedBus();

/** The buses. */
export const buses: Bus = simulatedBus ?? bus;
