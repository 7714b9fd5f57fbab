/**
 * Deferred modules: parts of a program that are loaded when they are first needed. Every start reads and evaluates the whole
 * bundle, and all of it stays in memory; what few configurations name need not be in it.
 *
 * A deferred module is imported like any other, and may export functions only. In the bundle a stand-in replaces it. Its
 * functions load the part and call the real ones. So the sources and their tests do not show any of this.
 *
 * The parts need modules that the program needs at its start, too. All of these are in one file, the core, because reading many
 * small files takes time. Only what an early part (core-parts.mjs) needs of them is in another one.
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { earlyParts } from "./core-parts.mjs";

const top = resolve(import.meta.dirname, "../..");

/** What esbuild calls the modules that are made here and have no file of their own. */
export const virtualModule = /^(deferred|part):/;

/** Bundles a module as a program of its own. @returns the names that it exports, and the paths of the modules that it needs. */
async function bundled(options, path) {
  const { metafile } = await build({ ...options, entryPoints: [path], outfile: `${path}.js`, write: false });
  const [{ exports, inputs }] = Object.values(metafile.outputs);
  const files = Object.keys(inputs).filter((input) => !virtualModule.test(input));
  return { exports, needs: files.map((file) => resolve(options.absWorkingDir, file)) };
}

/** The stand-in of a module. `load` must be called only once, because each call would load and evaluate the part again. */
function standIn(part, names) {
  const functions = names.map((name) => `export const ${name} = (...args) => part().${name}(...args);\n`);
  return `import { load } from "nound:script";
let exports;
const part = () => (exports ??= load(${JSON.stringify(part)}));
${functions.join("")}`;
}

/** A plugin that replaces the deferred modules by stand-ins. @param {Map<string, string>} partOf the parts, by their modules' paths. */
function standIns(options, partOf) {
  return {
    name: "deferred",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        const target = resolve(resolveDir, path);
        if (!partOf.has(target)) return undefined;
        // Relative, as the name of a chunk has a hash of it: the same sources give the same bytes in every folder.
        return { path: relative(top, target), namespace: "deferred", pluginData: target };
      });
      onLoad({ filter: /./, namespace: "deferred" }, async ({ pluginData: target }) => ({
        contents: standIn(`${partOf.get(target)}.js`, (await bundled(options, target)).exports),
        resolveDir: dirname(target),
      }));
    },
  };
}

/**
 * A plugin that puts all modules that both the program and its parts need into one file. esbuild splits the modules by which
 * of the outputs need them. So each part but the early ones imports all of them.
 */
function oneCore(options, entry, paths) {
  const importing = (path) => `import ${JSON.stringify(path)};\n`;
  return {
    name: "core",
    async setup({ onResolve, onLoad }) {
      const [program, ...parts] = await Promise.all([entry, ...paths].map((path) => bundled(options, path)));
      const shared = new Set(parts.flatMap(({ needs }) => needs));
      const core = program.needs.filter((path) => shared.has(path)).map(importing);
      onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice("part:".length), namespace: "part" }));
      onLoad({ filter: /./, namespace: "part" }, ({ path }) => {
        const module = resolve(top, path);
        const own = `export * from ${JSON.stringify(module)};\n`;
        return { contents: earlyParts.includes(module) ? own : core.join("") + own, resolveDir: top };
      });
    },
  };
}

/** @returns {Map<string, string>} the names of the files that the script imports, and what they are named here: the largest is core.js. */
function coreNames(outputs, script) {
  const imported = script.imports.filter(({ external }) => !external).map(({ path }) => path);
  const bySize = imported.sort((one, other) => outputs[other].bytes - outputs[one].bytes);
  return new Map(bySize.map((path, index) => [basename(path), index === 0 ? "core.js" : `core-${index + 1}.js`]));
}

/** A plugin that names the core, and writes the files. esbuild gives all files that it makes by splitting a name with a hash. */
function namedCore() {
  return {
    name: "named-core",
    setup({ onEnd }) {
      onEnd(({ metafile, outputFiles = [] }) => {
        const isScript = ({ entryPoint = "part:" }) => !virtualModule.test(entryPoint);
        const script = Object.values(metafile?.outputs ?? {}).find(isScript);
        const names = script === undefined ? new Map() : coreNames(metafile.outputs, script);
        for (const { path, text } of outputFiles) {
          const name = names.get(basename(path)) ?? basename(path);
          const renamed = [...names].reduce((before, [from, to]) => before.replaceAll(from, to), text);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(join(dirname(path), name), renamed);
        }
      });
    },
  };
}

/**
 * @param {import("esbuild").BuildOptions} options of a bundle that is one file.
 * @param {readonly string[]} paths of the modules to defer.
 * @returns {import("esbuild").BuildOptions} a bundle of the same name, and beside it the folder `<name>.parts`, which is emptied: the
 *   core, the deferred modules, and what only these have in common.
 */
export function withDeferred(options, paths) {
  const [entry] = options.entryPoints;
  const folder = dirname(options.outfile);
  const name = basename(options.outfile, extname(options.outfile));
  const parts = `${name}.parts`;
  const partOf = new Map(paths.map((path) => [resolve(path), `${parts}/${basename(path, extname(path))}`]));
  rmSync(join(folder, parts), { recursive: true, force: true });
  const { outfile: _, ...rest } = options;
  const plugins = [...(options.plugins ?? []), standIns(options, partOf)];
  return {
    ...rest,
    outdir: folder,
    entryPoints: [
      { in: entry, out: name },
      ...Array.from(partOf, ([path, part]) => ({ in: `part:${relative(top, path)}`, out: part })),
    ],
    splitting: true,
    chunkNames: `${parts}/common-[hash]`,
    write: false,
    plugins: [...plugins, oneCore({ ...options, plugins }, entry, paths), namedCore()],
  };
}
