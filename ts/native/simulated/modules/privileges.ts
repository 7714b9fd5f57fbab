/** Stands for `nound:privileges` on Node: nothing is given up. */
import type { Privileges } from "../../privileges.ts";

export const chooseAccount: Privileges["chooseAccount"] = () => {};
export const restrict: Privileges["restrict"] = () => "nothing is given up on simulated hardware";
