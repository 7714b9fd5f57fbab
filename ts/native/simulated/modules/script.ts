/** Replaces `nound:script` on Node, where no part of the script is loaded later. */
import type { Script } from "../../script.ts";

export const collect: Script["collect"] = () => {};
