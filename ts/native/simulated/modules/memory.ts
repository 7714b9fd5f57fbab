/** Replaces `nound:memory` on Node. */
import type { Memory } from "../../memory.ts";
import { world } from "../world.ts";

export const limitMemory: Memory["limitMemory"] = () => {};
export const usedBytes: Memory["usedBytes"] = () => world().memory.usedBytes();
export const isScarce: Memory["isScarce"] = () => world().memory.isScarce();
