/** Replaces `nound:bus` on Node. */
import type { Bus } from "../../bus.ts";
import { functionsOf, world } from "../world.ts";

export const { openI2c, openSpi } = functionsOf<Bus>(() => world().bus);
