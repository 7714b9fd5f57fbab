/**
 * Deferred groups: modules of a program that are loaded when one of them is first needed. Every start reads and
 * evaluates the whole bundle, and all of it stays in memory; what few requests and few configurations need does not
 * have to be in it.
 *
 * A module of a group is imported like any other. Outside its group, its functions may be called and its classes
 * constructed, and nothing else: in the bundle a stand-in replaces it, which loads the group and passes the call on. So
 * the sources and their tests do not show any of this.
 *
 * Everything that the program needs at its start is in one file, the core, but for the first module of the program:
 * reading many small files takes time, and each import from another file takes memory. The groups import the core. A
 * start evaluates it first. So nothing of a group may be called while modules are evaluated.
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { groups } from "./groups.mjs";

const top = resolve(import.meta.dirname, "../..");

/** What esbuild calls the modules that are made here and have no file of their own. */
export const virtualModule = /^(stand-in|loader|group):/;

/**
 * Bundles a module as a program of its own.
 * @returns the names that it exports, and the modules that it needs: paths of files, and of stand-ins from the top.
 */
async function bundled(options, path) {
  const { metafile } = await build({ ...options, entryPoints: [path], outfile: `${path}.js`, write: false });
  const [{ exports, inputs }] = Object.values(metafile.outputs);
  const needs = Object.keys(inputs)
    .filter((input) => !input.startsWith("loader:"))
    .map((input) =>
      virtualModule.test(input) ? input.replace("stand-in:", "./") : resolve(options.absWorkingDir, input),
    );
  return { exports, needs };
}

/** @returns {Promise<Map<string, string[]>>} the modules of each group that the program has, by the group's name. */
async function reachedGroups(options, deferred) {
  const [entry] = options.entryPoints;
  const { needs } = await bundled(options, entry);
  const reached = Object.entries(deferred).map(([name, modules]) => [
    name,
    modules.filter((path) => needs.includes(path)),
  ]);
  return new Map(reached.filter(([, modules]) => modules.length > 0));
}

/**
 * A function that can be called and constructed like the export of a group that it stands for. It is bound, because
 * that takes less than half of a function's memory.
 */
const standInFunction = (name) => `export const ${name} = /* @__PURE__ */ standIn.bind(undefined, "${name}");\n`;

/** The module that loads a group, once, because each `load` evaluates the group again. */
const loader = (file) => `import { load } from "nound:script";
let exports;
export function standIn(name, ...args) {
  exports ??= load(${JSON.stringify(file)});
  const real = exports[name];
  return new.target === undefined ? real(...args) : new real(...args);
}
`;

/** A plugin that replaces the modules of each group by stand-ins, but for imports of modules of the same group. */
function standIns(options, deferred, parts) {
  const groupOf = new Map(Array.from(deferred, ([name, modules]) => modules.map((path) => [path, name])).flat());
  return {
    name: "deferred",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir, importer }) => {
        const target = resolve(resolveDir, path);
        const group = groupOf.get(target);
        if (group === undefined || group === groupOf.get(importer)) return undefined;
        // Relative, as the name of a chunk has a hash of it: the same sources give the same bytes in every folder.
        return { path: relative(top, target), namespace: "stand-in", pluginData: { target, group } };
      });
      onLoad({ filter: /./, namespace: "stand-in" }, async ({ pluginData: { target, group } }) => {
        const { exports } = await bundled(options, target);
        return { contents: `import { standIn } from "loader:${group}";\n${exports.map(standInFunction).join("")}` };
      });
      onResolve({ filter: /^loader:/ }, ({ path }) => ({ path: path.slice("loader:".length), namespace: "loader" }));
      onLoad({ filter: /./, namespace: "loader" }, ({ path }) => ({ contents: loader(`${parts}/${path}.js`) }));
    },
  };
}

/**
 * A plugin that puts all modules of the program but the first into one file. esbuild splits the modules by which of the
 * outputs need them. So each group imports all of them.
 */
function oneCore(options, deferred) {
  const importing = (path) => `import ${JSON.stringify(path)};\n`;
  const exporting = (path) => `export * from ${JSON.stringify(path)};\n`;
  return {
    name: "core",
    async setup({ onResolve, onLoad }) {
      const [entry] = options.entryPoints;
      const { needs } = await bundled(options, entry);
      const core = needs.filter((path) => path !== resolve(entry)).map(importing);
      onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice("group:".length), namespace: "group" }));
      onLoad({ filter: /./, namespace: "group" }, ({ path }) => ({
        contents: [...core, ...deferred.get(path).map(exporting)].join(""),
        resolveDir: top,
      }));
    },
  };
}

/**
 * @returns {Map<string, string>} the names of the files that the script imports, and what they are named here: the
 * largest is core.js.
 */
function coreNames(outputs, script) {
  const imported = script.imports.filter(({ external }) => !external).map(({ path }) => path);
  const bySize = imported.sort((one, other) => outputs[other].bytes - outputs[one].bytes);
  return new Map(bySize.map((path, index) => [basename(path), index === 0 ? "core.js" : `core-${index + 1}.js`]));
}

/**
 * A plugin that names the core, and writes the files. esbuild gives all files that it makes by splitting a name with a
 * hash.
 */
function namedCore() {
  return {
    name: "named-core",
    setup({ onEnd }) {
      onEnd(({ metafile, outputFiles = [] }) => {
        const isScript = ({ entryPoint = "group:" }) => !virtualModule.test(entryPoint);
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
 * @param {Readonly<Record<string, readonly string[]>>} candidates the paths of the modules of each group; a program has
 *   those that it imports.
 * @returns {Promise<import("esbuild").BuildOptions>} a bundle of the same name, and beside it the folder
 *   `<name>.parts`, which is emptied: the core, a file for each group, and what only groups have in common.
 */
export async function withDeferred(options, candidates = groups) {
  const [entry] = options.entryPoints;
  const folder = dirname(options.outfile);
  const name = basename(options.outfile, extname(options.outfile));
  const parts = `${name}.parts`;
  const deferred = await reachedGroups(options, candidates);
  rmSync(join(folder, parts), { recursive: true, force: true });
  const { outfile: _, ...rest } = options;
  const plugins = [...(options.plugins ?? []), standIns(options, deferred, parts)];
  const outputs = Array.from(deferred.keys(), (group) => ({ in: `group:${group}`, out: `${parts}/${group}` }));
  return {
    ...rest,
    outdir: folder,
    entryPoints: [{ in: entry, out: name }, ...outputs],
    splitting: true,
    chunkNames: `${parts}/common-[hash]`,
    write: false,
    plugins: [...plugins, oneCore({ ...options, plugins }, deferred), namedCore()],
  };
}
