/** Replaces `nound:script` on Node, where no other application is run. */
import type { Script } from "../../script.ts";

export const collect: Script["collect"] = () => {};
export const run: Script["run"] = () => {};
