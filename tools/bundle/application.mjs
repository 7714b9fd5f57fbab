/**
 * The options for bundling an application, in addition to those of every program: the names that it may use without an
 * import, and those that it may not use.
 */
import { resolve } from "node:path";
import { nodeModuleSentence, nodeModules } from "./node-names.mjs";
import { bundleOptions } from "./options.mjs";

const nound = resolve(import.meta.dirname, "../..");
const globals = [
  "AbortController",
  "clearInterval",
  "clearTimeout",
  "console",
  "setInterval",
  "setTimeout",
  "TextDecoder",
  "TextEncoder",
];

/**
 * Refuses modules of Node with a sentence about what is there instead. An installed package of the same name is used.
 */
const refuseNodeModules = {
  name: "a-device-is-not-node",
  setup({ onResolve, resolve: find }) {
    const names = new Set(nodeModules);
    onResolve({ filter: /^(node:)?[a-z_/0-9]+$/ }, async ({ path, resolveDir, kind, importer, pluginData }) => {
      if (pluginData === refuseNodeModules || !names.has(path.replace(/^node:/, ""))) return undefined;
      const found = path.startsWith("node:")
        ? undefined
        : await find(path, { resolveDir, kind, importer, pluginData: refuseNodeModules });
      if (found !== undefined && found.errors.length === 0 && !found.external) return found;
      return { errors: [{ text: nodeModuleSentence(path) }] };
    });
  },
};

/**
 * @param {string} entry the file the application starts at.
 * @param {string} bundle the file to write.
 * @param {{ root: string, minify?: boolean }} how as for `bundleOptions`.
 * @returns {import("esbuild").BuildOptions} of a bundle in which the global names that it uses are imports of nound's
 * own.
 */
export function applicationOptions(entry, bundle, how) {
  return {
    ...bundleOptions(entry, bundle, how),
    inject: [resolve(nound, "ts/program/application/globals/globals.ts")],
    define: Object.fromEntries(globals.map((name) => [`globalThis.${name}`, name])),
    plugins: [refuseNodeModules],
  };
}
