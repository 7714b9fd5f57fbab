/** Replaces `nound:sysfs` on Node. */
import type { Sysfs } from "../../sysfs.ts";
import { world } from "../world.ts";

export const openDevice: Sysfs["openDevice"] = (deviceClass, device) => world().sysfs.openDevice(deviceClass, device);
