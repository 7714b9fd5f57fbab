/**
 * nound-<version>.tgz: the npm package, all that an application's author installs. It has the linked programs of all
 * targets, so `nound build` needs only Node.
 */

import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { releaser } from "../../packaging/releaser.mjs";
import { archive } from "./archive.mjs";
import { writeNotices } from "./notices.mjs";
import { fitPage } from "./packed-pages.mjs";

const root = resolve(import.meta.dirname, "../..");

/** The files of the repository in it, as patterns of git ls-files. */
const sources = [
  ...["cli", "ts", "packaging", "tools/bundle", "tools/build/configuration.mjs"],
  ...["tools/build/node-version.mjs", "tools/build/packages.mjs", "tools/build/programs.mjs"],
  ...["docs/*.md", "docs/*.svg", "docs/nound.schema.json", "examples"],
  ...["LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"],
];

/** The packages that it needs on the author's machine, in the versions that are tested here. */
const needed = ["@jridgewell/sourcemap-codec", "esbuild", "typescript", "vitest", "yaml"];
/** vitest takes any vite from 6 on. 7 is the last that brings neither rolldown nor lightningcss, which are 30 MB. */
const vite = "7.3.8";

/** Targets that people develop on: they also get the program that compiles and the one that `nound dev` serves with. */
const hostTargets = ["x86_64", "aarch64"];

function copyTo(folder, path, name = path) {
  mkdirSync(dirname(resolve(folder, name)), { recursive: true });
  copyFileSync(resolve(root, path), resolve(folder, name));
}

/** Its package.json, with what the releaser has told of the release. */
export function description(version) {
  const { name, description, license, type, exports, bin, engines, devDependencies } = JSON.parse(
    readFileSync(resolve(root, "package.json"), "utf8"),
  );
  const dependencies = Object.fromEntries([...needed.map((one) => [one, devDependencies[one]]), ["vite", vite]]);
  const { address, maintainer } = releaser();
  const [, email] = /<(.*)>/.exec(maintainer) ?? [];
  const contact = { ...(address && { homepage: address }), ...(email && { bugs: { email } }) };
  return { name, version, description, ...contact, license, type, exports, bin, engines, dependencies };
}

/** Copies the files of the repository into it, with pages whose links lead to files in it. */
export function copySources(folder) {
  const list = execFileSync("git", ["ls-files", "-z", ...sources], { cwd: root, encoding: "utf8" });
  const files = list.split("\0").filter((path) => path !== "");
  for (const path of files) copyTo(folder, path);
  // The template's page gets its addresses when it is used.
  for (const path of files) if (path.endsWith(".md") && !path.startsWith("cli/template/")) fitPage(folder, path);
}

/** Makes it of the binaries in build/<target>. @returns the path. */
export function npmPackage({ targets, version, components, seconds, dist, work }) {
  const folder = resolve(work, "npm/package");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copySources(folder);
  execFileSync("node", [resolve(root, "tools/build/package.mjs")], { stdio: "inherit" });
  cpSync(resolve(root, "build/package"), resolve(folder, "build/package"), { recursive: true });
  for (const target of targets) {
    copyTo(folder, `build/${target}/nound-runtime`, `programs/${target}/nound-runtime`);
    if (!hostTargets.includes(target)) continue;
    copyTo(folder, `build/${target}/nound-compiler`, `programs/${target}/nound-embed`);
  }
  writeNotices(folder, { version, target: "TARGET", components });
  writeFileSync(resolve(folder, "package.json"), `${JSON.stringify(description(version), undefined, 2)}\n`);
  const file = resolve(dist, `nound-${version}.tgz`);
  archive(folder, file, seconds);
  return file;
}
