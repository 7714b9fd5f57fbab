/** Stands for `nound:guard` on Node. */
import type { Guard } from "../../guard.ts";
import { world } from "../world.ts";

export const limitCalls: Guard["limitCalls"] = () => {};
export const invoke: Guard["invoke"] = (object, method, ...args) => world().guard.invoke(object, method, ...args);
export const isInterruption: Guard["isInterruption"] = (error) => world().guard.isInterruption(error);
