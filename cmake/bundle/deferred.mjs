/**
 * Deferred modules: parts of a program that are loaded when they are first needed. Every start reads and evaluates the whole
 * bundle, and all of it stays in memory; what few configurations name need not be in it.
 *
 * A deferred module is imported like any other, and may export functions only. In the bundle a stand-in replaces it. Its
 * functions load the part and call the real ones. So the sources and their tests do not show any of this.
 */

import { rmSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { build } from "esbuild";

const top = resolve(import.meta.dirname, "../..");

/** The names that a module exports. */
async function exportsOf(options, path) {
  const { metafile } = await build({ ...options, entryPoints: [path], outfile: `${path}.js`, write: false });
  return Object.values(metafile.outputs)[0].exports;
}

/** The stand-in of a module. `load` must be called only once, because each call would load and evaluate the part again. */
function standIn(part, names) {
  const functions = names.map((name) => `export const ${name} = (...args) => part().${name}(...args);\n`);
  return `import { load } from "nound:script";
let exports;
const part = () => (exports ??= load(${JSON.stringify(part)}));
${functions.join("")}`;
}

/**
 * @param {import("esbuild").BuildOptions} options of a bundle that is one file.
 * @param {readonly string[]} paths of the modules to defer.
 * @returns {import("esbuild").BuildOptions} a bundle of the same name, and beside it the folder `<name>.parts`, which is emptied, with
 *   the deferred modules and what they have in common with the bundle.
 */
export function withDeferred(options, paths) {
  const [entry] = options.entryPoints;
  const folder = dirname(options.outfile);
  const name = basename(options.outfile, extname(options.outfile));
  const parts = `${name}.parts`;
  const partOf = new Map(paths.map((path) => [resolve(path), `${parts}/${basename(path, extname(path))}`]));
  rmSync(join(folder, parts), { recursive: true, force: true });
  const { outfile: _, ...rest } = options;
  return {
    ...rest,
    outdir: folder,
    entryPoints: [{ in: entry, out: name }, ...Array.from(partOf, ([path, part]) => ({ in: path, out: part }))],
    splitting: true,
    chunkNames: `${parts}/common-[hash]`,
    plugins: [
      ...(options.plugins ?? []),
      {
        name: "deferred",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
            const target = resolve(resolveDir, path);
            if (kind === "entry-point" || !partOf.has(target)) return undefined;
            // Relative, as the name of a chunk has a hash of it: the same sources give the same bytes in every folder.
            return { path: relative(top, target), namespace: "deferred", pluginData: target };
          });
          onLoad({ filter: /./, namespace: "deferred" }, async ({ pluginData: target }) => ({
            contents: standIn(`${partOf.get(target)}.js`, await exportsOf(options, target)),
            resolveDir: dirname(target),
          }));
        },
      },
    ],
  };
}
