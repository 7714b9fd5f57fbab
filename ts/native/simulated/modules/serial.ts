/** Replaces `nound:serial` on Node. */
import type { Serial } from "../../serial.ts";
import { world } from "../world.ts";

export const openPort: Serial["openPort"] = (path, settings) => world().serial.openPort(path, settings);
