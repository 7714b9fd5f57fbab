import type { BuildOptions } from "esbuild";
import type { groups, passingGroups } from "./groups.mjs";

/** What is done with a module, given its text and a function that says how those of an imported path are called. */
type Direct = (
  text: string,
  callOf: (path: string) => { readonly loader: string; readonly first: string } | undefined,
) => string;

export const virtualModule: RegExp;
export function withDeferred(
  options: BuildOptions,
  candidates?: typeof groups,
  passing?: typeof passingGroups,
  passes?: { readonly finish?: (text: string) => string; readonly direct?: Direct },
): Promise<BuildOptions>;
