/**
 * Bundles a script to one ES module, and writes what it was made of as a depfile for the build system.
 *
 *     node cmake/bundle.mjs [--minify] <entry.ts> <bundle.js>
 *
 * Names stay as they are even when minified, as stack traces show them. The C modules (`nound:...`) stay imports.
 */

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const { values, positionals } = parseArgs({
  options: { minify: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [entry, bundle] = positionals;
if (entry === undefined || bundle === undefined) {
  console.error("bundle.mjs: give the entry and the file to write.");
  process.exit(2);
}

const root = resolve(import.meta.dirname, "..");

/** A path as make and ninja read it in a depfile. */
function depfilePath(path) {
  return resolve(root, path)
    .replace(/[\\ #]/g, "\\$&")
    .replaceAll("$", "$$$$");
}

const result = await build({
  absWorkingDir: root,
  entryPoints: [resolve(entry)],
  outfile: resolve(bundle),
  bundle: true,
  external: ["nound:*"],
  format: "esm",
  platform: "neutral",
  target: "es2024",
  legalComments: "none",
  minifySyntax: values.minify,
  minifyWhitespace: values.minify,
  metafile: true,
  logLevel: "warning",
}).catch(() => process.exit(1)); // esbuild has said why
const inputs = Object.keys(result.metafile.inputs).map(depfilePath);
writeFileSync(`${bundle}.d`, `${depfilePath(resolve(bundle))}: ${inputs.join(" \\\n  ")}\n`);
