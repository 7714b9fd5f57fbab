/** The end switches of a cover, as the guards tell them. */
import { endSwitches, inner } from "../../../ts/core/noun/inner-noun.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";

/** An end switch begins to report, or ends. */
export function reachOf(cover: Noun, end: "open" | "close", isThere: boolean): void {
  inner(cover)
    [endSwitches]?.find(({ option }) => option.at(-1) === end)
    ?.reach(isThere);
}
