/** The options by which esbuild makes one ES module from a program and all its imports. */

import { resolve } from "node:path";

/**
 * @param {string} entry the file the program starts at.
 * @param {string} bundle the file to write.
 * @param {{ root: string, minify?: boolean }} how `root` is the folder that paths are told from. Names stay as they are
 *   even when minified, as stack traces show them.
 * @returns {import("esbuild").BuildOptions} The C modules (`nound:...`) stay imports.
 */
export function bundleOptions(entry, bundle, { root, minify = false }) {
  return {
    absWorkingDir: root,
    entryPoints: [resolve(entry)],
    outfile: resolve(bundle),
    bundle: true,
    external: ["nound:*"],
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"], // of npm libraries without "exports"
    target: "es2024",
    legalComments: "none",
    minifySyntax: minify,
    minifyWhitespace: minify,
    metafile: true,
    logLevel: "warning",
  };
}
