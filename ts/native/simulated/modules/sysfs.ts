/** Replaces `nound:sysfs` on Node. */
import type { Sysfs } from "../../sysfs.ts";
import { functionsOf, world } from "../world.ts";

export const { openDevice } = functionsOf<Sysfs>(() => world().sysfs);
