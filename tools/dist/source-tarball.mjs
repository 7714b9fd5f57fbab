/**
 * nound-<version>.tar.xz: all that git has, and what a distribution does not have or must not download: the commit's
 * name and date, the script in C, the keys for OpenWrt's UCI and LuCI, the engine's source, the releases of libgpiod
 * and Mbed TLS. CMake and a C compiler are enough to build it.
 */

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { writeOpenwrtKeys } from "../../packaging/openwrt-keys.mjs";
import { archive } from "./archive.mjs";
import { cached, sha256 } from "./components.mjs";

const root = resolve(import.meta.dirname, "../..");

function copyRepository(folder) {
  const list = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  for (const path of list.split("\0").filter((path) => path !== "")) {
    mkdirSync(dirname(resolve(folder, path)), { recursive: true });
    copyFileSync(resolve(root, path), resolve(folder, path));
  }
}

/** The files that the engine is compiled from, and its licence, which is elsewhere in Debian's package. */
function copyEngine(engine, files, folder) {
  mkdirSync(folder, { recursive: true });
  for (const [, file] of files.matchAll(/^[0-9a-f]{64} {2}(\S+)$/gm))
    copyFileSync(resolve(engine, file), resolve(folder, file));
  copyFileSync(resolve(import.meta.dirname, "quickjs-ng-licence.txt"), resolve(folder, "LICENSE"));
}

/** Makes it of the repository and two build folders, one for each byte order: the first target's and that of mips. */
export function sourceTarball({ targets, version, components, seconds, dist, work }) {
  const name = `nound-${version}`;
  const folder = resolve(work, name);
  const [littleEndian, bigEndian] = [targets[0], "mips"].map((target) => resolve(root, "build", target));
  const engine = components.find(({ name }) => name === "quickjs-ng");
  rmSync(folder, { recursive: true, force: true });
  copyRepository(folder);
  writeOpenwrtKeys(resolve(folder, "packaging"));

  // Its name and its date, each on a line.
  writeFileSync(resolve(folder, "commit"), execFileSync("git", ["log", "-1", "--format=%H%n%ct"], { cwd: root }));

  mkdirSync(resolve(folder, "prebuilt"));
  copyFileSync(resolve(littleEndian, "nound-script.c"), resolve(folder, "prebuilt/nound-bytecode.c"));
  copyFileSync(resolve(bigEndian, "nound-script.c"), resolve(folder, "prebuilt/nound-text.c"));
  copyFileSync(resolve(littleEndian, "page.c"), resolve(folder, "prebuilt/page.c"));
  writeFileSync(resolve(folder, "prebuilt/engine.sha256"), engine.files);

  copyEngine(cached(littleEndian, "NOUND_ENGINE_FOLDER"), engine.files, resolve(folder, "vendor/quickjs-ng"));
  for (const [library, ending] of [
    ["libgpiod", "xz"],
    ["mbedtls", "bz2"],
  ]) {
    const { version: of, checksum } = components.find(({ name }) => name === library);
    const release = `${library}-${of}.tar.${ending}`;
    const download = resolve(root, "build/downloads", release);
    if (sha256(download) !== checksum) throw new Error(`${download} is not the release of ${library}.`);
    copyFileSync(download, resolve(folder, "vendor", release));
  }
  // Trees collect the licences of files, not those inside an archive.
  const { version: ofTls } = components.find(({ name }) => name === "mbedtls");
  mkdirSync(resolve(folder, "vendor/mbedtls"));
  copyFileSync(resolve(littleEndian, `mbedtls-${ofTls}/LICENSE`), resolve(folder, "vendor/mbedtls/LICENSE"));

  const file = resolve(dist, `${name}.tar.xz`);
  archive(folder, file, seconds);
  return file;
}
