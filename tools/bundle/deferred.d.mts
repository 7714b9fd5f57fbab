import type { BuildOptions } from "esbuild";
import type { groups, passingGroups } from "./groups.mjs";

/** What is done with a module, given its text and a function from an imported path to the group of its module. */
type Direct = (text: string, groupOf: (path: string) => string | undefined) => string;

export const virtualModule: RegExp;
export function withDeferred(
  options: BuildOptions,
  candidates?: typeof groups,
  passing?: typeof passingGroups,
  passes?: { readonly finish?: (text: string) => string; readonly direct?: Direct },
): Promise<BuildOptions>;
