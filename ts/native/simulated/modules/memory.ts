/** Replaces `nound:memory` on Node. */
import type { Memory } from "../../memory.ts";
import { functionsOf, world } from "../world.ts";

export const { limitMemory, usedBytes, isScarce } = functionsOf<Memory>(() => world().memory);
