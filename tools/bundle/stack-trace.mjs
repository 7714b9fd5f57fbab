/**
 * Makes the stack traces of a bundle name the lines of its source files: for debugging. It makes the bundle larger by a
 * table.
 */

import { dirname, isAbsolute, relative, resolve } from "node:path";
import { build } from "esbuild";
import { sourceLinesOf } from "./source-lines.mjs";

const nound = resolve(import.meta.dirname, "../..");

/** The path below a folder, or undefined for what is outside of it. */
function pathBelow(folder, path) {
  const below = relative(folder, path);
  return below.startsWith("..") || isAbsolute(below) ? undefined : below;
}

/** What a stack trace calls a source file: its path in the project, or `nound/` and its path there. */
function sourceName(path, root) {
  return pathBelow(root, path) ?? `nound/${pathBelow(nound, path) ?? path}`;
}

/** The name of ts/trace/stack-trace.ts in a bundle, which no author uses. */
const tracer = "$noundTrace";

/** The script of ts/trace/stack-trace.ts, which makes `tracer`. */
async function tracerScript() {
  const { outputFiles } = await build({
    absWorkingDir: nound,
    entryPoints: ["ts/trace/stack-trace.ts"],
    bundle: true,
    format: "iife",
    globalName: tracer,
    platform: "neutral",
    target: "es2024",
    minify: true,
    write: false,
    logLevel: "warning",
  });
  return outputFiles[0].text;
}

/**
 * An esbuild plugin. It takes over the writing of the bundle.
 *
 * @param {(bundle: string, text: string) => void} write takes the path of the bundle and its text.
 * @returns {import("esbuild").Plugin}
 */
export function tracedBundle(write) {
  return {
    name: "traced-bundle",
    setup({ initialOptions, onEnd }) {
      initialOptions.write = false;
      initialOptions.sourcemap = "external";
      initialOptions.sourcesContent = false;
      const root = initialOptions.absWorkingDir;
      onEnd(async ({ errors, outputFiles }) => {
        if (errors.length > 0) return;
        const bundle = outputFiles.find(({ path }) => path.endsWith(".js"));
        const map = JSON.parse(outputFiles.find(({ path }) => path.endsWith(".map")).text);
        const sources = map.sources.map((source) => sourceName(resolve(dirname(bundle.path), source), root));
        const script = await tracerScript();
        const linesBefore = script.split("\n").length + 1;
        const table = sourceLinesOf({ mappings: map.mappings, sources }, bundle.text, linesBefore);
        write(bundle.path, `${script}\n${tracer}.traceSourceLines(${JSON.stringify(table)});\n${bundle.text}`);
      });
    },
  };
}
