/** The project of an application, and the clone of nound that builds it. */

import { existsSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fail } from "../tools/build/configuration.mjs";

/** The clone's folder. */
export const nound = resolve(import.meta.dirname, "..");

/** The pattern of a program's name, which is also part of a path. */
const programName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/**
 * The project in the current folder.
 *
 * @returns {{ folder: string, name: string, entry: string }} `entry` is the file the application starts at.
 */
export function currentProject() {
  const folder = process.cwd();
  const description = resolve(folder, "package.json");
  if (folder === nound || !existsSync(description))
    fail("this folder has no application: change to one that has, or make one with `npx nound new ../my-device`");
  const { name } = JSON.parse(readFileSync(description, "utf8"));
  const entry = resolve(folder, "src/main.ts");
  if (!existsSync(entry)) fail("src/main.ts is missing: the application starts there");
  return { folder, name: checkedName(String(name ?? basename(folder)).replace(/^@[^/]*\//, "")), entry };
}

/** @returns the name. Ends the program with a sentence when it cannot be a program's. */
export function checkedName(name) {
  if (!programName.test(name))
    fail(`an application cannot be called ${JSON.stringify(name)}: a name has letters, digits and . _ -`);
  return name;
}
