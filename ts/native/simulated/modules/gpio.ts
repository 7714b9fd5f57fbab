/** Replaces `nound:gpio` on Node. */
import type { Gpio } from "../../gpio.ts";
import { functionsOf, world } from "../world.ts";

export const backends: Gpio["backends"] = ["gpiod", "sysfs"];
export const hasEveryLine = true;
export const { openLine, openPair, listChips, checkLine } = functionsOf<Gpio>(() => world().gpio);
