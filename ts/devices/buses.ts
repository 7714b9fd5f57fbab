/** The buses that an application speaks on: the device's own, or simulated. Apart from platform.ts, as the stock program has no use for them. */
import * as bus from "nound:bus";
import { simulated } from "../application/platform.ts";
import type { Bus } from "../native/bus.ts";
import { SimulatedBus } from "../native/simulated/bus.ts";

/** The simulated buses; undefined where there are real ones. */
export const simulatedBus: SimulatedBus | undefined = simulated === undefined ? undefined : new SimulatedBus();

/** The buses. */
export const buses: Bus = simulatedBus ?? bus;
