/** Replaces `nound:keeper` on Node: there is no keeper. */
import type { Keeper } from "../../keeper.ts";

export const exists: Keeper["exists"] = () => false;
export const isSuccessor: Keeper["isSuccessor"] = () => false;
export const isChecker: Keeper["isChecker"] = () => false;
export const keep: Keeper["keep"] = () => undefined;
export const inherit: Keeper["inherit"] = () => undefined;
export const ready: Keeper["ready"] = () => undefined;
export const online: Keeper["online"] = () => undefined;
export const hasGoneBack: Keeper["hasGoneBack"] = () => false;
export const beginHandingOver: Keeper["beginHandingOver"] = () => undefined;
export const isHandingOver: Keeper["isHandingOver"] = () => false;
export const leave: Keeper["leave"] = () => undefined;
export const handOver: Keeper["handOver"] = () => undefined;
export const refuse: Keeper["refuse"] = () => undefined;
export const admit: Keeper["admit"] = () => undefined;
export const states: Keeper["states"] = () => undefined;
export const tokens: Keeper["tokens"] = () => undefined;
export const keepConfiguration: Keeper["keepConfiguration"] = () => undefined;
export const previousConfiguration: Keeper["previousConfiguration"] = () => undefined;
