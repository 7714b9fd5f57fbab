/** `nound new FOLDER`: a project with one noun, its test, and scripts to try, test and ship it. */

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { fail } from "../cmake/configuration.mjs";
import { checkedName, nound } from "./project.mjs";

const template = resolve(import.meta.dirname, "template");

/** A path as package.json writes it, from the project to the clone: `../nound`. */
function pathToClone(folder) {
  return relative(folder, nound) || ".";
}

/**
 * Links nound into the project. There is nothing to download, so that it takes a second and no network; and nothing to run:
 * what the project imports was made by `npm ci` in the clone.
 */
function linkNound(folder) {
  const options = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, stderr, error } = spawnSync("npm", ["install", ...options], { cwd: folder, encoding: "utf8" });
  if (error !== undefined || status !== 0)
    fail(`the project was made, but \`npm install\` failed there: ${error?.message ?? stderr.trim()}`);
}

/** @param {readonly string[]} args the command line after `new`. */
export function createProject(args) {
  const [given, ...more] = args;
  if (given === undefined || more.length > 0 || given.startsWith("-"))
    fail("give the folder to create: npx nound new ../my-device");
  if (!existsSync(join(nound, "build/package/nound.js")))
    fail(`what applications import has not been made yet: run \`npm ci\` in ${nound}`);
  const folder = resolve(given);
  const name = checkedName(basename(folder));
  if (existsSync(folder) && readdirSync(folder).length > 0)
    fail(`${given} has something in it already: give a folder that is empty, or not there yet`);
  mkdirSync(folder, { recursive: true });
  cpSync(template, folder, { recursive: true });
  // npm leaves a file of that name out of what it packs, so the template has it by another.
  renameSync(join(folder, "gitignore"), join(folder, ".gitignore"));
  for (const file of ["package.json", "README.md"]) {
    const text = readFileSync(join(folder, file), "utf8");
    writeFileSync(
      join(folder, file),
      text.replaceAll("my-device", name).replaceAll("PATH-TO-NOUND", pathToClone(folder)),
    );
  }
  linkNound(folder);
  console.log(
    `${given} is ready: go there, and run \`npm run dev\`, \`npm test\` or \`npm run build -- --target armv7\`.`,
  );
}
