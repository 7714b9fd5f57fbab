/** Replaces `nound:script` on Node, where no other application is run. */
import type { Script } from "../../script.ts";

export const run: Script["run"] = () => {};
