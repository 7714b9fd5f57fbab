/** Replaces `nound:input` on Node. */
import type { Input } from "../../input.ts";
import { world } from "../world.ts";

export const wordBits: Input["wordBits"] = 64;
export const openDevice: Input["openDevice"] = (device, type, code) => world().input.openDevice(device, type, code);
export const openUevents: Input["openUevents"] = () => world().input.openUevents();
