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

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { groups, passingGroups } from "./groups.mjs";
import { passingLoader, passingScript, scriptName } from "./passing.mjs";

const top = resolve(import.meta.dirname, "../..");

/** Keeps what passing groups export. */
const passingParts = resolve(top, "ts/platform/passing-parts.ts");

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

/** @returns a function that gives the names that a module exports, and bundles each module once. */
function exportsOnce(options) {
  const found = new Map();
  return (path) => {
    const exports = found.get(path) ?? bundled(options, path).then((one) => one.exports);
    found.set(path, exports);
    return exports;
  };
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
 * How a group's functions are called.
 * @param {ReadonlyMap<string, string>} loaders the loaders that are not the usual one, by their groups.
 * @returns the module whose `standIn` calls one, and the text of what `standIn` takes first.
 */
const callOf = (group, loaders) =>
  loaders.has(group) ? { loader: `loader:${group}`, first: "" } : { loader: usualLoader, first: `"${group}", ` };

/**
 * A function that can be called and constructed like the export of a group that it stands for. It is bound, because
 * that takes less than half of a function's memory.
 */
const standInFunction = (first) => (name) =>
  `export const ${name} = /* @__PURE__ */ standIn.bind(undefined, ${first}"${name}");\n`;

const usualLoader = "loader:usual";

/** The module that loads groups, each once, because each `load` evaluates the group again. */
const loader = (folder) => `import { load } from "nound:script";
const groups = {};
export function standIn(group, name, ...args) {
  groups[group] ??= load(${JSON.stringify(`${folder}/`)} + group + ".js");
  const real = groups[group][name];
  return new.target === undefined ? real(...args) : new real(...args);
}
`;

/**
 * A plugin that replaces the modules of each group by stand-ins, but for imports of modules of the same group.
 * @param exportsOf gives the names that a module exports.
 * @param direct has modules call what groups export without a stand-in, if it is given.
 * @param {Map<string, string>} loaders the text of the module that loads a group, unless it is the usual one.
 */
function standIns(exportsOf, deferred, parts, direct, loaders = new Map()) {
  const groupOf = new Map(Array.from(deferred, ([name, modules]) => modules.map((path) => [path, name])).flat());
  /** @returns the group of a module, unless that is the importer's. */
  const otherGroup = (target, importer) => {
    const group = groupOf.get(target);
    return group === groupOf.get(importer) ? undefined : group;
  };
  return {
    name: "deferred",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir, importer }) => {
        const target = resolve(resolveDir, path);
        const group = otherGroup(target, importer);
        if (group === undefined) return undefined;
        // Relative, as the name of a chunk has a hash of it: the same sources give the same bytes in every folder.
        return { path: relative(top, target), namespace: "stand-in", pluginData: { target, group } };
      });
      onLoad({ filter: /./, namespace: "stand-in" }, async ({ pluginData: { target, group } }) => {
        const names = await exportsOf(target);
        const { loader, first } = callOf(group, loaders);
        return { contents: `import { standIn } from "${loader}";\n${names.map(standInFunction(first)).join("")}` };
      });
      if (direct !== undefined)
        onLoad({ filter: /\.ts$/, namespace: "file" }, ({ path }) => ({
          contents: direct(readFileSync(path, "utf8"), (imported) => {
            const group = imported.startsWith(".") ? otherGroup(resolve(dirname(path), imported), path) : undefined;
            return group === undefined ? undefined : callOf(group, loaders);
          }),
          loader: "ts",
        }));
      onResolve({ filter: /^loader:/ }, ({ path }) => ({ path: path.slice("loader:".length), namespace: "loader" }));
      onLoad({ filter: /./, namespace: "loader" }, ({ path }) => ({
        contents: loaders.get(path) ?? loader(parts),
        resolveDir: top,
      }));
    },
  };
}

/** The path of a file that esbuild has made by splitting. */
const isSplit = /\/common-[A-Z0-9]+\.js$/;

/** A plugin that leaves the modules of the core, and what loads groups, as imports. */
function outsideOf(core) {
  return {
    name: "outside",
    setup({ onResolve }) {
      onResolve({ filter: /^loader:/ }, ({ path }) => ({ path, external: true }));
      onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
        const target = resolve(resolveDir, path);
        return kind !== "entry-point" && core.has(target) ? { path: target, external: true } : undefined;
      });
    },
  };
}

/** A module that exports what some modules do. */
const together = (modules) => modules.map((path) => `export * from ${JSON.stringify(path)};\n`).join("");

/** @returns the scripts of passing groups by their groups. What they have in common with others is in the core. */
async function passingScripts(options, exportsOf, deferred, parts, { passing, direct }) {
  const names = passing.filter((name) => deferred.has(name));
  if (names.length === 0) return new Map();
  const { entryPoints, outfile: _, ...rest } = options;
  // What the loaders of these groups take is known when their scripts are.
  const loaders = new Map(names.map((name) => [name, "export function standIn() {}\n"]));
  const plugins = (groups, ...more) => [
    ...(options.plugins ?? []),
    ...more,
    standIns(exportsOf, groups, parts, direct, loaders),
  ];
  const without = (group) => new Map(Array.from(deferred).filter(([name]) => name !== group));
  const inputsOf = async (group, ...more) => {
    const stdin = { contents: together(deferred.get(group)), resolveDir: top, sourcefile: `group:${group}` };
    return passingScript({ ...rest, stdin, plugins: plugins(without(group), ...more) });
  };
  const core = new Set((await bundled({ ...options, plugins: plugins(deferred) }, resolve(entryPoints[0]))).needs);
  const needed = new Map();
  for (const group of deferred.keys()) {
    const { inputs } = await inputsOf(group, outsideOf(core));
    needed.set(group, new Set(Object.keys(inputs).map((path) => resolve(options.absWorkingDir, path))));
  }
  const scripts = new Map();
  for (const group of names) {
    const others = Array.from(needed).filter(([name]) => name !== group);
    const common = [...needed.get(group)].filter((path) => others.some(([, paths]) => paths.has(path)));
    scripts.set(group, await inputsOf(group, outsideOf(new Set([...core, ...common]))));
  }
  return scripts;
}

/**
 * A plugin that puts all modules of the program but the first into one file. esbuild splits the modules by which of the
 * outputs need them. So each group imports all of them.
 */
function oneCore(options, deferred) {
  const importing = (path) => `import ${JSON.stringify(path)};\n`;
  return {
    name: "core",
    async setup({ onResolve, onLoad }) {
      const [entry] = options.entryPoints;
      const { needs } = await bundled(options, entry);
      // A file of JSON does nothing by itself, so esbuild would warn of such an import.
      const core = needs.filter((path) => path !== resolve(entry) && !path.endsWith(".json")).map(importing);
      onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice("group:".length), namespace: "group" }));
      onLoad({ filter: /./, namespace: "group" }, ({ path }) => ({
        contents: `${core.join("")}${together(deferred.get(path))}`,
        resolveDir: top,
      }));
    },
  };
}

/**
 * @returns {Map<string, string>} the names of the files that esbuild has made by splitting, and what they are named
 * here: the largest that the script imports is core.js. Each file has the names of those that it imports, so they are
 * short.
 */
function splitNames(outputs, script) {
  const imported = script.imports.filter(({ external }) => !external).map(({ path }) => path);
  const bySize = imported.sort((one, other) => outputs[other].bytes - outputs[one].bytes);
  const core = bySize.map((path, index) => [basename(path), index === 0 ? "core.js" : `core-${index + 1}.js`]);
  const others = Object.keys(outputs).filter((path) => isSplit.test(path) && !imported.includes(path));
  return new Map([...core, ...others.sort().map((path, index) => [basename(path), `${index + 1}.js`])]);
}

/**
 * A plugin that names the core, and writes the files. esbuild gives all files that it makes by splitting a name with a
 * hash.
 */
function namedCore(scripts, folder, finish) {
  return {
    name: "named-core",
    setup({ onEnd }) {
      onEnd(({ metafile, outputFiles = [] }) => {
        const isScript = ({ entryPoint = "group:" }) => !virtualModule.test(entryPoint);
        const script = Object.values(metafile?.outputs ?? {}).find(isScript);
        const names = script === undefined ? new Map() : splitNames(metafile.outputs, script);
        for (const [group, { inputs }] of scripts) {
          const twice = Object.keys(inputs).filter((path) => !virtualModule.test(path) && path in metafile.inputs);
          if (twice.length > 0)
            throw new Error(`The group ${group} passes, but other modules need ${twice.join(", ")}.`);
        }
        for (const [group, { text, inputs }] of scripts) {
          mkdirSync(folder, { recursive: true });
          writeFileSync(join(folder, scriptName(group)), finish(text));
          Object.assign(metafile.inputs, inputs);
        }
        for (const { path, text } of outputFiles) {
          const name = names.get(basename(path)) ?? basename(path);
          const renamed = [...names].reduce((before, [from, to]) => before.replaceAll(from, to), text);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(join(dirname(path), name), finish(renamed));
        }
      });
    },
  };
}

/**
 * @param {import("esbuild").BuildOptions} options of a bundle that is one file.
 * @param {Readonly<Record<string, readonly string[]>>} candidates the paths of the modules of each group; a program has
 *   those that it imports.
 * @param {readonly string[]} passing the names of those that are scripts, whose code is freed (passing.mjs).
 * @param {object} passes what is done last with the text of each file, and first with each module, given its text and
 *   a function from an imported path to how the functions of that group are called.
 * @returns {Promise<import("esbuild").BuildOptions>} a bundle of the same name, and beside it the folder
 *   `<name>.parts`, which is emptied: the core, a file for each group, and what only groups have in common.
 */
export async function withDeferred(options, candidates = groups, passing = passingGroups, passes = {}) {
  const { finish = (text) => text, direct } = passes;
  const [entry] = options.entryPoints;
  const folder = dirname(options.outfile);
  const name = basename(options.outfile, extname(options.outfile));
  const parts = `${name}.parts`;
  const deferred = await reachedGroups(options, candidates);
  rmSync(join(folder, parts), { recursive: true, force: true });
  const { outfile: _, ...rest } = options;
  const exportsOf = exportsOnce(options);
  const scripts = await passingScripts(options, exportsOf, deferred, parts, { passing, direct });
  const loaders = new Map(
    Array.from(scripts, ([group, { imports }]) => [
      group,
      passingLoader(`${parts}/${scriptName(group)}`, passingParts, imports),
    ]),
  );
  const plugins = [...(options.plugins ?? []), standIns(exportsOf, deferred, parts, direct, loaders)];
  const outputs = [...deferred.keys()]
    .filter((group) => !scripts.has(group))
    .map((group) => ({ in: `group:${group}`, out: `${parts}/${group}` }));
  return {
    ...rest,
    outdir: folder,
    entryPoints: [{ in: entry, out: name }, ...outputs],
    splitting: true,
    chunkNames: `${parts}/common-[hash]`,
    write: false,
    plugins: [...plugins, oneCore({ ...options, plugins }, deferred), namedCore(scripts, join(folder, parts), finish)],
  };
}
