/** The options by which esbuild makes one ES module from a program and all its imports. */

import { resolve } from "node:path";

/** After so many characters, a line of a bundle with short names ends where it can. */
const mostCharacters = 1_000;

/**
 * @param {string} entry the file the program starts at.
 * @param {string} bundle the file to write.
 * @param {{ root: string, minify?: boolean, shortNames?: boolean }} how `root` is the folder that paths are told from.
 *   Only with `shortNames`, variables and functions lose their names, which stack traces show beside the places. Those
 *   of methods stay. Lines are longer then: each change of the line in a function takes two bytes, which no archiver
 *   makes much smaller.
 * @returns {import("esbuild").BuildOptions} The C modules (`nound:...`) stay imports.
 */
export function bundleOptions(entry, bundle, { root, minify = false, shortNames = false }) {
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
    minifyIdentifiers: shortNames,
    minifySyntax: minify,
    minifyWhitespace: minify || shortNames,
    ...(shortNames && { lineLimit: mostCharacters }),
    metafile: true,
    logLevel: "warning",
  };
}
