/** Replaces `nound:privileges` on Node: nothing is given up. */
import type { Privileges } from "../../privileges.ts";

export const chooseAccount: Privileges["chooseAccount"] = () => {};
export const findAccount: Privileges["findAccount"] = () => {};
export const restrictions: Privileges["restrictions"] = () => "simulated hardware keeps all privileges";
export const isRestricted: Privileges["isRestricted"] = () => false;
export const restrict: Privileges["restrict"] = restrictions;
