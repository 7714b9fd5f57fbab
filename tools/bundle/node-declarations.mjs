/**
 * Writes declarations in which the names of Node are sentences: an editor shows what to use instead where it would
 * advise to install Node's types.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { globalSentence, insteadOfGlobals, nodeModuleSentence, nodeModules } from "./node-names.mjs";

const identifier = /^[A-Za-z_$][\w$]*$/;
const reserved = new Set(["default", "module.exports"]);

/** The type of a missing name. Calling it, or reading one of its members, is an error with the sentence. */
function typeOf(sentence) {
  return `NotOnADevice<${JSON.stringify(sentence)}>`;
}

async function declareModule(name) {
  // A few of them are missing in some versions of Node.
  const members = await import(name).catch(() => ({}));
  const names = Object.keys(members).filter((key) => identifier.test(key) && !reserved.has(key));
  const sentence = nodeModuleSentence(`node:${name}`);
  return `declare module "node:${name}" {
/** @deprecated ${sentence} */
const it: ${typeOf(sentence)};
export default it;
${names.map((key) => `export const ${key}: typeof it;\n`).join("")}}
declare module "${name}" {
export * from "node:${name}";
export { default } from "node:${name}";
}
`;
}

/** @returns {Promise<string>} the text of the declarations. */
async function nodeDeclarations() {
  const modules = await Promise.all(nodeModules.map(declareModule));
  const globals = Object.keys(insteadOfGlobals).map(
    (name) => `/** @deprecated ${globalSentence(name)} */\ndeclare var ${name}: ${typeOf(globalSentence(name))};\n`,
  );
  return `/** What a device does not have. @see the sentence, which says what to use instead. */
interface NotOnADevice<Sentence extends string> {
  readonly " ": Sentence;
}
${globals.join("")}${modules.join("")}`;
}

/**
 * Writes the declarations of the global names that a device has and has not: what is behind "nound/globals". @param
 * folder where to.
 */
export async function writeGlobalDeclarations(folder) {
  mkdirSync(folder, { recursive: true });
  copyFileSync(resolve(import.meta.dirname, "../../cli/types/globals.d.ts"), join(folder, "globals.d.ts"));
  writeFileSync(join(folder, "not-on-a-device.d.ts"), await nodeDeclarations());
}
