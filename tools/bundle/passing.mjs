/**
 * A group whose code passes: it is freed once `freePassingParts` was called and nothing uses it any more. The engine
 * keeps a module for as long as the program runs. So such a group is a script: its value is a function that takes what
 * the group imports, and returns what it exports.
 *
 * The values are handed over when the group is loaded. They are those that a module would see, because all modules of
 * the core have been evaluated by then, and an exported variable that changes is refused.
 */

import { readFileSync } from "node:fs";
import { build, transform } from "esbuild";

/** Parts with such names are scripts: nound-embed compiles them so (tools/embed/embed.c). */
export const scriptName = (group) => `${group}.script.js`;

const importStatement = /^import (?:\* as (\S+)|\{([^}]*)\}) from "([^"]+)";$/gm;
const exportStatement = /^export \{([^}]*)\};$/m;

/** @returns {[string, string][]} the pairs of `a as b, c`. */
function pairsOf(list) {
  const names = list.split(",").map((one) => one.trim());
  return names.filter((one) => one !== "").map((one) => [one.split(" as ")[0], one.split(" as ").at(-1)]);
}

/** @returns whether a module exports this name as a variable that may change. */
function mayChange({ path, name }) {
  return path.startsWith("/") && new RegExp(`^export let ${name}\\b`, "m").test(readFileSync(path, "utf8"));
}

/** @returns what a bundle imports: the name in the module, or `*`; the name in the bundle; the module's path. */
function importsOf(text) {
  return Array.from(text.matchAll(importStatement), ([, all, list, path]) =>
    all === undefined ? pairsOf(list).map(([name, local]) => ({ name, local, path })) : { name: "*", local: all, path },
  ).flat();
}

/**
 * @param {import("esbuild").BuildOptions} options whose plugins leave everything outside the group as an import.
 * @returns the script's text; what its function takes, in this order; the inputs as in esbuild's metafile.
 */
export async function passingScript(options) {
  const { outputFiles, metafile } = await build({
    ...options,
    inject: [], // the global names of an application; nound's own modules use none
    format: "esm",
    minifyWhitespace: false,
    charset: "utf8", // else the path of an import is escaped, which no longer names its file
    outfile: "/group.js",
    write: false,
  });
  const bundle = outputFiles[0].text;
  const imports = importsOf(bundle);
  const exports = pairsOf(exportStatement.exec(bundle)?.[1] ?? "").map(([local, name]) => `${name}: ${local}`);
  const body = bundle.replace(importStatement, "").replace(exportStatement, `return { ${exports.join(", ")} };`);
  const script = `"use strict";\n(([${imports.map(({ local }) => local).join(", ")}]) => {\n${body}\n});\n`;
  const { code } = await transform(script, { minifyWhitespace: options.minifyWhitespace });
  return { text: code, imports, inputs: metafile.inputs };
}

/**
 * @returns {string} the module that loads the group, hands over what it imports, and passes calls on.
 * @throws Error if the group imports a variable that may change.
 */
export function passingLoader(file, keeper, imports) {
  const changing = imports.filter(mayChange).map(({ path, name }) => `${name} of ${path}`);
  if (changing.length > 0) throw new Error(`${changing.join(", ")} may change: no passing group can import it.`);
  const statements = imports.map(({ name, path }, index) =>
    name === "*"
      ? `import * as i${index} from ${JSON.stringify(path)};\n`
      : `import { ${name} as i${index} } from ${JSON.stringify(path)};\n`,
  );
  const values = imports.map((_, index) => `i${index}`).join(", ");
  return `import { load } from "nound:script";
import { passingPart } from ${JSON.stringify(keeper)};
${statements.join("")}
const readGroup = () => load(${JSON.stringify(file)})([${values}]);
export function standIn(name, ...args) {
  const real = passingPart(${JSON.stringify(file)}, readGroup)[name];
  return new.target === undefined ? real(...args) : new real(...args);
}
`;
}
