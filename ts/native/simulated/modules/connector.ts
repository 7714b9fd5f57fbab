/** Replaces `nound:connector` on Node: a test answers. */
import type { Connector } from "../../connector.ts";
import { world } from "../world.ts";

export const start: Connector["start"] = (targets, onEnd) => world().connector.start(targets, onEnd);
export const connect: Connector["connect"] = (target, time, done) => world().connector.connect(target, time, done);
