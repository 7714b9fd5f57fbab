/** Replaces `nound:acceptor` on Node: a test connects. */
import type { Acceptor } from "../../acceptor.ts";
import { world } from "../world.ts";

export const start: Acceptor["start"] = (settings, handler) => world().acceptor.start(settings, handler);
export const inspect: Acceptor["inspect"] = (settings) => world().acceptor.inspect(settings);
export const listen: Acceptor["listen"] = (address) => world().acceptor.listen(address);
export const close: Acceptor["close"] = (listener) => world().acceptor.close(listener);
export const ask: Acceptor["ask"] = (asks) => world().acceptor.ask(asks);
export const confirm: Acceptor["confirm"] = () => world().acceptor.confirm();
