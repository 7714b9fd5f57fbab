/**
 * `nound new`: a project with one noun, its test, and scripts to try, test and ship it.
 *
 * From the npm package it fills the folder that the package was installed in. From a clone it makes a folder, FOLDER,
 * and links the clone into it.
 */

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { fail } from "../tools/build/configuration.mjs";
import { isPackage } from "./packaged-programs.mjs";
import { checkedName, nound } from "./project.mjs";

const template = resolve(import.meta.dirname, "template");

/** The files that `npm install` and `git init` leave in a folder. */
const ofInstallation = /^(package\.json|package-lock\.json|node_modules|\.git|\.npmrc|nound-[\d.]+\.tgz)$/;

/**
 * Links nound into the project. It downloads nothing, so it takes a second and needs no network. It runs nothing,
 * because `npm ci` in the clone has made what the project imports.
 */
function linkNound(folder) {
  const options = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, stderr, error } = spawnSync("npm", ["install", ...options], { cwd: folder, encoding: "utf8" });
  if (error !== undefined || status !== 0)
    fail(`the project was made, but \`npm install\` failed there: ${error?.message ?? stderr.trim()}`);
}

/** Writes the files of the project into a folder. @param {object} installed the content of its package.json. */
function fill(folder, name, installed) {
  const description = JSON.parse(readFileSync(join(template, "package.json"), "utf8"));
  cpSync(template, folder, { recursive: true });
  // npm does not pack a file of that name, so the template has it under another name.
  const { scripts } = description;
  renameSync(join(folder, "gitignore"), join(folder, ".gitignore"));
  writeFileSync(
    join(folder, "package.json"),
    `${JSON.stringify({ ...description, name, ...installed, type: "module", scripts }, undefined, 2)}\n`,
  );
  const readme = join(folder, "README.md");
  const text = readFileSync(readme, "utf8");
  const place = relative(folder, nound) || ".";
  writeFileSync(readme, text.replaceAll("my-device", name).replaceAll("PATH-TO-NOUND", place));
}

/** Fills the folder in which the npm package is installed. */
function fillInstalled(args) {
  const folder = process.cwd();
  if (args.length > 0 || !existsSync(join(folder, "package.json")))
    fail("make an empty folder, install nound there, and run `npx nound new` without an argument");
  const more = readdirSync(folder).find((entry) => !ofInstallation.test(entry));
  if (more !== undefined) fail(`there is ${more} in this folder already: start in an empty folder`);
  const installed = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  fill(folder, checkedName(installed.name ?? basename(folder)), installed);
  console.log("The project is ready: run `npm run dev`, `npm test` or `npm run build -- --target armv7`.");
}

/** Makes a folder, with the clone linked into it. */
function makeLinked([given, ...more]) {
  if (given === undefined || more.length > 0 || given.startsWith("-"))
    fail("give the folder to create: npx nound new ../my-device");
  if (!existsSync(join(nound, "build/package/nound.js")))
    fail(`nound's package has not been built yet: run \`npm ci\` in ${nound}`);
  const folder = resolve(given);
  const name = checkedName(basename(folder));
  if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${given} is not empty: give a new or empty folder`);
  mkdirSync(folder, { recursive: true });
  fill(folder, name, { devDependencies: { nound: `file:${relative(folder, nound) || "."}` } });
  // npm 9 would copy the clone, without what it imports.
  writeFileSync(join(folder, ".npmrc"), "install-links=false\n");
  linkNound(folder);
  console.log(
    `${given} is ready: go there, and run \`npm run dev\`, \`npm test\` or \`npm run build -- --target armv7\`.`,
  );
}

/** @param {readonly string[]} args the command line after `new`. */
export function createProject(args) {
  if (isPackage) fillInstalled(args);
  else makeLinked(args);
}
