/** Replaces `nound:connector` on Node: a test answers. */
import type { Connector } from "../../connector.ts";
import { functionsOf, world } from "../world.ts";

export const { start, check, connect } = functionsOf<Connector>(() => world().connector);
