/**
 * nound-<version>.tar.gz: all that git has, and what a distribution does not have or must not download: the script in C, the
 * engine's source, libgpiod's release. CMake and a C compiler make nound of it.
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { archive } from "./archive.mjs";
import { cached, sha256 } from "./components.mjs";

const root = resolve(import.meta.dirname, "../..");

/** A hash of what the bytecode depends on. cmake/Prebuilt.cmake compares it. */
function engineHash(engine) {
  const hashes = ["quickjs.c", "quickjs-atom.h", "quickjs-opcode.h"].map(
    (file) => `${sha256(resolve(engine, file))}\n`,
  );
  return createHash("sha256").update(hashes.join("")).digest("hex");
}

function copyRepository(folder) {
  const list = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  for (const path of list.split("\0").filter((path) => path !== "")) {
    mkdirSync(dirname(resolve(folder, path)), { recursive: true });
    copyFileSync(resolve(root, path), resolve(folder, path));
  }
}

/** The files that the engine is compiled from, and its licence. */
function copyEngine(engine, folder) {
  const files = readdirSync(engine).filter(
    (file) => file === "LICENSE" || /^(?!qjs|run-test|unicode_gen).*\.[ch]$/.test(file),
  );
  mkdirSync(folder, { recursive: true });
  for (const file of files) copyFileSync(resolve(engine, file), resolve(folder, file));
}

/** Makes it of the repository and two build folders, one for each byte order. @returns the path. */
export function sourceTarball({ version, components, seconds, dist, work }) {
  const name = `nound-${version}`;
  const folder = resolve(work, name);
  const [littleEndian, bigEndian] = ["x86_64", "mips"].map((target) => resolve(root, "build", target));
  const engine = cached(littleEndian, "QUICKJS_DIR");
  rmSync(folder, { recursive: true, force: true });
  copyRepository(folder);

  mkdirSync(resolve(folder, "prebuilt"));
  copyFileSync(resolve(littleEndian, "nound-script.c"), resolve(folder, "prebuilt/nound-bytecode.c"));
  copyFileSync(resolve(bigEndian, "nound-script.c"), resolve(folder, "prebuilt/nound-text.c"));
  writeFileSync(resolve(folder, "prebuilt/engine.sha256"), `${engineHash(engine)}\n`);

  copyEngine(engine, resolve(folder, "vendor/quickjs-ng"));
  const libgpiod = components.find(({ name }) => name === "libgpiod");
  const release = `libgpiod-${libgpiod.version}.tar.xz`;
  const download = resolve(root, "build/downloads", release);
  if (sha256(download) !== libgpiod.checksum) throw new Error(`${download} is not libgpiod's release.`);
  copyFileSync(download, resolve(folder, "vendor", release));

  const file = resolve(dist, `${name}.tar.gz`);
  archive(folder, file, seconds);
  return file;
}
