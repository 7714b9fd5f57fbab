/** Replaces `nound:gpio` on Node. */
import type { Gpio } from "../../gpio.ts";
import { world } from "../world.ts";

export const backends: Gpio["backends"] = ["gpiod", "sysfs"];
export const hasEveryLine: Gpio["hasEveryLine"] = true;
export const openLine: Gpio["openLine"] = (backend, address, settings) =>
  world().gpio.openLine(backend, address, settings);
export const openPair: Gpio["openPair"] = (...pair) => world().gpio.openPair(...pair);
export const listChips: Gpio["listChips"] = () => world().gpio.listChips();
export const checkLine: Gpio["checkLine"] = (backend, address) => world().gpio.checkLine(backend, address);
