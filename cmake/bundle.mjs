/**
 * Bundles a script to one ES module, and writes what it was made of as a depfile for the build system.
 *
 *     node cmake/bundle.mjs [--minify-whitespace] <entry.ts> <bundle.js>
 *
 * Names stay as they are, as stack traces show them. The C modules (`nound:...`) stay imports.
 */

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const { values, positionals } = parseArgs({
  options: { "minify-whitespace": { type: "boolean", default: false } },
  allowPositionals: true,
});
const [entry, bundle] = positionals;
if (entry === undefined || bundle === undefined) {
  console.error("bundle.mjs: give the entry and the file to write.");
  process.exit(2);
}

/** A path as make and ninja read it in a depfile. */
function depfilePath(path) {
  return resolve(root, path)
    .replace(/[\\ #]/g, "\\$&")
    .replaceAll("$", "$$$$");
}

const root = resolve(import.meta.dirname, "..");
try {
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
    minifySyntax: true,
    minifyWhitespace: values["minify-whitespace"],
    metafile: true,
    logLevel: "warning",
  });
  const inputs = Object.keys(result.metafile.inputs).map(depfilePath);
  writeFileSync(`${bundle}.d`, `${depfilePath(resolve(bundle))}: ${inputs.join(" \\\n  ")}\n`);
} catch {
  process.exit(1); // esbuild has said why
}
