/** Replaces `nound:guard` on Node. */
import type { Guard } from "../../guard.ts";
import { world } from "../world.ts";

export const limitCalls: Guard["limitCalls"] = () => {};
export const call: Guard["call"] = (callee, ...args) => world().guard.call(callee, ...args);
export const exempt: Guard["exempt"] = (callee, ...args) => world().guard.exempt(callee, ...args);
export const isInterruption: Guard["isInterruption"] = (error) => world().guard.isInterruption(error);
