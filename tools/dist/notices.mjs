/**
 * The notices of everything that is linked into the binaries, and how to link another libgpiod. Both accompany the
 * binaries.
 */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** @returns {string} a text of this folder with its @names@ replaced. */
export function filled(name, values) {
  return readFileSync(resolve(import.meta.dirname, name), "utf8").replace(/@(\w+)@/g, (_, key) => values[key]);
}

/** Writes `licences/` and RELINKING.txt into a folder. @param {string} target the name of the target in the text. */
export function writeNotices(folder, { version, target, components }) {
  const versionOf = (component) => components.find(({ name }) => name === component).version;
  const values = { version, target, libgpiod: versionOf("libgpiod"), zig: versionOf("zig") };
  writeFileSync(resolve(folder, "RELINKING.txt"), filled("RELINKING.txt", values));
  mkdirSync(resolve(folder, "licences"));
  copyFileSync(resolve(root, "LICENSE"), resolve(folder, "licences/nound.txt"));
  for (const { name, what, version: of, license, address, notice } of components)
    writeFileSync(
      resolve(folder, `licences/${name}.txt`),
      `${name} (${of}), ${what}\n${address}\nSPDX-License-Identifier: ${license}\n\n${notice}`,
    );
}
