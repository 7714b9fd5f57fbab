/**
 * Bundles a script to one ES module, and writes what it was made of as a depfile for the build system.
 *
 *     node tools/build/bundle.mjs [--minify] [--debug] [--root <folder>] [--defer] <entry.ts> <bundle.js>
 *
 * With --debug, its stack traces name the lines of the source files, by their paths from --root (nound's own folder,
 * unless given). With --defer, the groups of tools/bundle/groups.mjs are files of their own, which
 * tools/bundle/deferred.mjs explains, names are short, and function-variables.mjs declares most variables.
 */

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { virtualModule, withDeferred } from "../bundle/deferred.mjs";
import { bundleOptions } from "../bundle/options.mjs";
import { tracedBundle } from "../bundle/stack-trace.mjs";
import { withDirectCalls } from "./direct-calls.mjs";
import { withFunctionVariables } from "./function-variables.mjs";

const { values, positionals } = parseArgs({
  options: {
    minify: { type: "boolean" },
    debug: { type: "boolean" },
    root: { type: "string" },
    defer: { type: "boolean" },
  },
  allowPositionals: true,
});
const [entry, bundle] = positionals;
if (entry === undefined || bundle === undefined) {
  console.error("bundle.mjs: give the entry and the file to write.");
  process.exit(2);
}

const root = resolve(values.root ?? resolve(import.meta.dirname, "../.."));

/** A path as make and ninja read it in a depfile. */
function depfilePath(path) {
  return resolve(root, path)
    .replace(/[\\ #]/g, "\\$&")
    .replaceAll("$", "$$$$");
}

/** @returns as many characters, in which infinity is a number, not a property of a global object. */
function withInfinity(text) {
  return text.replace(/\bNumber\.(POSITIVE|NEGATIVE)_INFINITY\b/g, (name, sign) =>
    (sign === "POSITIVE" ? "1e999" : "(-1e999)").padEnd(name.length),
  );
}

const passes = { finish: (text) => withFunctionVariables(withInfinity(text)), direct: withDirectCalls };
const options = bundleOptions(entry, bundle, {
  root,
  minify: values.minify === true,
  shortNames: values.defer === true,
});
const result = await build({
  ...(values.defer ? await withDeferred(options, undefined, undefined, passes) : options),
  ...(values.debug ? { plugins: [tracedBundle(writeFileSync)] } : {}),
}).catch(() => process.exit(1)); // esbuild has said why
const files = Object.keys(result.metafile.inputs).filter((path) => !virtualModule.test(path));
const inputs = files.map(depfilePath);
writeFileSync(`${bundle}.d`, `${depfilePath(resolve(bundle))}: ${inputs.join(" \\\n  ")}\n`);
