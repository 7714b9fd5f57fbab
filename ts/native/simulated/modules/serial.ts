/** Replaces `nound:serial` on Node. */
import type { Serial } from "../../serial.ts";
import { functionsOf, world } from "../world.ts";

export const { openPort } = functionsOf<Serial>(() => world().serial);
