/** Replaces `nound:input` on Node. */
import type { Input } from "../../input.ts";
import { functionsOf, world } from "../world.ts";

export const wordBits: Input["wordBits"] = 64;
export const { openDevice, openUevents } = functionsOf<Input>(() => world().input);
