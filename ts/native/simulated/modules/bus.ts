/** Replaces `nound:bus` on Node. */
import type { Bus } from "../../bus.ts";
import { world } from "../world.ts";

export const openI2c: Bus["openI2c"] = (bus, address) => world().bus.openI2c(bus, address);
export const openSpi: Bus["openSpi"] = (path, mode) => world().bus.openSpi(path, mode);
