/** Replaces `nound:acceptor` on Node: a test connects. */
import type { Acceptor } from "../../acceptor.ts";
import { functionsOf, world } from "../world.ts";

export const { start, inspect, listen, close, ask, confirm } = functionsOf<Acceptor>(() => world().acceptor);
