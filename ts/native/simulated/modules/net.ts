/** Replaces `nound:net` on Node. */
import type { Net } from "../../net.ts";
import { mostRead } from "../net.ts";
import { world } from "../world.ts";

export const listen: Net["listen"] = (address, onAccept) => world().net.listen(address, onAccept);

export const broadcast: Net["broadcast"] = (text, sockets) => world().net.broadcast(text, sockets);

export { mostRead };
