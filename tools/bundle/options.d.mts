import type { BuildOptions } from "esbuild";

export function bundleOptions(
  entry: string,
  bundle: string,
  how: { readonly root: string; readonly minify?: boolean; readonly shortNames?: boolean },
): BuildOptions;
