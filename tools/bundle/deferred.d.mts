import type { BuildOptions } from "esbuild";
import type { groups, passingGroups } from "./groups.mjs";

export const virtualModule: RegExp;
export function withDeferred(
  options: BuildOptions,
  candidates?: typeof groups,
  passing?: typeof passingGroups,
  finish?: (text: string) => string,
): Promise<BuildOptions>;
