/**
 * The npm packages that only some commands need, each set with a lock file of its own in tools/packages. `npm ci`
 * installs what builds and runs applications; a command installs the sets that it needs besides.
 *
 *     node tools/build/packages.mjs <set>...
 *
 * A set is installed beside its lock file, where the next `npm ci` leaves it alone. The packages that it names are
 * linked into node_modules, where Node and npm's scripts find them.
 */

import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const top = resolve(import.meta.dirname, "../..");

/** What each set is for, and what it takes on a fast line. */
const sets = {
  targets: { what: "the cross compiler", size: "395 MB, 20 s" },
  test: { what: "the packages of the tests", size: "131 MB, 10 s" },
  check: { what: "the packages of the checks", size: "150 MB, 10 s" },
};

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Whether `npm ci` itself has installed all of a set, as it did before there were sets. */
function isInRoot(modules, dependencies) {
  return Object.entries(dependencies).every(([name, version]) => {
    const isFolder = lstatSync(join(modules, name), { throwIfNoEntry: false })?.isDirectory() === true;
    return isFolder && readJson(join(modules, name, "package.json")).version === version;
  });
}

/** Whether a symbolic link has this target; false for anything else. */
function isLinkTo(path, target) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && readlinkSync(path) === target;
}

/** Links a file or a folder, in place of what is there. */
function link(path, to) {
  const target = relative(dirname(path), to);
  if (isLinkTo(path, target)) return;
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
}

/** The programs of a package by their names. */
function programsOf(folder, name) {
  const { bin = {} } = readJson(join(folder, "package.json"));
  return Object.entries(typeof bin === "string" ? { [name.replace(/^.*\//, "")]: bin } : bin);
}

/** Installs a set in a folder of its own and then moves it, so that an installation that ends early leaves nothing. */
function install(root, set, lock) {
  const folder = join(root, "tools/packages", set);
  const work = join(root, "build", `packages-${set}.${process.pid}.new`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(folder, name), join(work, name));
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const { status } = spawnSync("npm", ["ci", ...options], { cwd: work, stdio: ["ignore", "ignore", "inherit"] });
  if (status === 0) {
    writeFileSync(join(work, "node_modules/installed-lock.json"), lock);
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    renameSync(join(work, "node_modules"), join(folder, "node_modules"));
  }
  rmSync(work, { recursive: true, force: true });
  return status === 0;
}

/**
 * Makes sure that a set is installed, and says so in a line if it installs it.
 *
 * @param {string} set
 * @param {string} root the clone.
 * @returns {string | undefined} a sentence if it cannot be installed.
 */
export function missingPackages(set, root = top) {
  const folder = join(root, "tools/packages", set);
  const { dependencies } = readJson(join(folder, "package.json"));
  const inRoot = join(root, "node_modules");
  const ownModules = join(folder, "node_modules");
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const mark = join(ownModules, "installed-lock.json");
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== lock) {
    if (isInRoot(inRoot, dependencies)) return undefined;
    const { what, size } = sets[set];
    console.error(`nound: installing ${what}, once: ${size}`);
    if (!install(root, set, lock))
      return (
        `${what} could not be installed; the reason is above. They come from npm's registry: try again with a ` +
        `network, by node tools/build/packages.mjs ${set}`
      );
  }
  for (const name of Object.keys(dependencies)) {
    link(join(inRoot, name), join(ownModules, name));
    for (const [program, file] of programsOf(join(ownModules, name), name))
      link(join(inRoot, ".bin", program), join(ownModules, name, file));
  }
  return undefined;
}

/** Installs sets, or ends the program with a sentence. @param {readonly string[]} names of them. */
export function needPackages(...names) {
  for (const name of names) {
    const sentence = missingPackages(name);
    if (sentence === undefined) continue;
    console.error(`nound: ${sentence}`);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) needPackages(...process.argv.slice(2));
