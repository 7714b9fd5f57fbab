/** Replaces `nound:interruption` on Node. */
import type { Interruption } from "../../interruption.ts";
import { functionsOf, world } from "../world.ts";

export const { limitCalls, call, exempt, isInterruption } = functionsOf<Interruption>(() => world().interruption);
