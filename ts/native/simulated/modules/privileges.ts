/** Stands for `nound:privileges` on Node: nothing is given up. */
import type { Privileges } from "../../privileges.ts";

export const chooseAccount: Privileges["chooseAccount"] = () => {};
export const restrictions: Privileges["restrictions"] = () => "nothing is given up on simulated hardware";
export const restrict: Privileges["restrict"] = restrictions;
