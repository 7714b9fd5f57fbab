/** Replaces `nound:guard` on Node. */
import type { Guard } from "../../guard.ts";
import { functionsOf, world } from "../world.ts";

export const { limitCalls, call, exempt, isInterruption } = functionsOf<Guard>(() => world().guard);
