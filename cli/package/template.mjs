/** The templates for an application's packages: the files in `packaging/`, which are also nound's own packages. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { nound } from "../project.mjs";

/** @returns {string} a file of `packaging/`. */
export function packagingFile(path) {
  return readFileSync(resolve(nound, "packaging", path), "utf8");
}

/**
 * Replaces parts of a text.
 *
 * @param {string} text
 * @param {readonly (readonly [string | RegExp, string])[]} edits each must be found at least once; a string is replaced
 *   everywhere. @throws Error naming a missing text: the template has changed, and the edit must be changed, too.
 */
export function edited(text, edits) {
  return edits.reduce((before, [part, replacement]) => {
    const after =
      typeof part === "string" ? before.replaceAll(part, () => replacement) : before.replace(part, () => replacement);
    if (after === before) throw new Error(`the template has no ${part}`);
    return after;
  }, text);
}

/** @returns {string} a variable's name for the application: `MY_DEVICE` of `my-device`. */
export function variableName(name) {
  return name.toUpperCase().replaceAll("-", "_");
}

/** @returns {string} a template of nound with the application's name wherever nound's is. */
export function renamed(text, name) {
  return text.replace(/\bnound(?=\b|_)/g, name).replace(/(?<![A-Z])NOUND(?=\b|_)/g, variableName(name));
}
