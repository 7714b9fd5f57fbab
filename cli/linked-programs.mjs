/** The linked programs. An application is put into a copy of one, so making a binary needs no compiler. */

import { isPackage, packagedPrograms } from "./packaged-programs.mjs";

/**
 * @typedef {object} LinkedPrograms
 * @property {(target: string) => { runtime: string, compiler: string | undefined }} programsFor the path of
 *   `nound-runtime` for a target, and that of `nound-embed`, which makes bytecode on this machine;
 *   undefined where it does not run. Ends the program with a sentence when there is no such target.
 * @property {() => string} hostRuntime the path of a `nound-runtime` that runs here. Ends the program with a sentence
 * if there is none.
 */

/** @returns {Promise<LinkedPrograms>} those of the npm package, or those that this clone builds. */
export async function linkedPrograms() {
  return isPackage ? packagedPrograms : (await import("./stock-build.mjs")).builtPrograms;
}
