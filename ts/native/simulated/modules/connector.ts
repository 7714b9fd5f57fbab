/** Replaces `nound:connector` on Node: a test answers. */
import type { Connector } from "../../connector.ts";
import { world } from "../world.ts";

export const start: Connector["start"] = (...options) => world().connector.start(...options);
export const check: Connector["check"] = (tls) => world().connector.check(tls);
export const end: Connector["end"] = () => world().connector.end();
export const connect: Connector["connect"] = (target, time, done) => world().connector.connect(target, time, done);
