/** Replaces `nound:net` on Node. */
import type { Net } from "../../net.ts";
import { functionsOf, world } from "../world.ts";

export { mostRead } from "../net.ts";
export const { listen, broadcast } = functionsOf<Net>(() => world().net);
