import type { BuildOptions } from "esbuild";
import type { groups } from "./groups.mjs";

export const virtualModule: RegExp;
export function withDeferred(options: BuildOptions, candidates?: typeof groups): Promise<BuildOptions>;
