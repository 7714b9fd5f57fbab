/** The end switches of a cover, as the guards tell them. */

import type { Noun } from "../../../ts/core/noun/noun.ts";
import { endSwitches, traitsOf } from "../../../ts/core/noun/noun-traits.ts";

/** An end switch begins to report, or ends. */
export function reachOf(cover: Noun, end: "open" | "close", isThere: boolean): void {
  traitsOf(cover)
    [endSwitches]?.find(({ option }) => option.at(-1) === end)
    ?.reach(isThere);
}
