/**
 * The components of a released binary: one list for its notices and for the bill of materials. Versions and texts are
 * read from the sources that were compiled.
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const libgpiodFile = resolve(root, "cmake/Libgpiod.cmake");
const mbedtlsFile = resolve(root, "cmake/Mbedtls.cmake");

/** A setting of a build folder. */
export function cached(folder, name) {
  const [, value] =
    readFileSync(resolve(folder, "CMakeCache.txt"), "utf8").match(new RegExp(`^${name}:\\w+=(.*)$`, "m")) ?? [];
  if (value === undefined) throw new Error(`${folder}/CMakeCache.txt has no ${name}.`);
  return value;
}

/** The SHA-256 of a file. */
export function sha256(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** The one match of an expression's group in a file. */
function found(path, expression) {
  const [, text] = readFileSync(path, "utf8").match(expression) ?? [];
  if (text === undefined) throw new Error(`${path} has nothing like ${expression}.`);
  return text;
}

/** The SHA-256 of the engine's files, a line for each, as cmake/EngineFiles.cmake lists them. */
export function engineFiles(engine) {
  const lines = execFileSync("cmake", ["-D", `FOLDER=${engine}`, "-P", resolve(root, "cmake/EngineFiles.cmake")], {
    encoding: "utf8",
  });
  return lines.replace(/^#.*\n/, "");
}

/** The copyright lines of libgpiod's files, which its licence text does not have. */
function copyrightLines(files) {
  const lines = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/SPDX-FileCopyrightText: (.+?)(?: \*\/)?$/gm)].map(([, line]) => line),
  );
  return `${[...new Set(lines)].sort().join("\n")}\n`;
}

/** The SHA-256 of what a folder has: of a line with hash and path for each file, in the order of the paths. */
function hashOfFolder(folder) {
  const lines = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => resolve(entry.parentPath ?? entry.path, entry.name))
    .sort()
    .map((path) => `${sha256(path)}  ${relative(folder, path)}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}

const linkedParts = JSON.parse(readFileSync(resolve(root, "ts/program/daemon/linked-parts.json"), "utf8"));

/** @returns how scanners name a part, as `nound --bom` does. */
function scannedAs(name, version) {
  const { purl, cpe, license } = linkedParts[name];
  return { name, version, purl: `${purl}${version}`, cpe, license };
}

/**
 * All components of the binary in a build folder: name, version, SPDX licence, address, the text of its notice; and how
 * scanners name it: a package URL, vendor and product of its CPE, and a SHA-256 of its release or of its files.
 */
export function components(folder) {
  const engine = cached(folder, "NOUND_ENGINE_FOLDER");
  const version = found(libgpiodFile, /nound_libgpiod_version (\S+)\)/);
  const libgpiod = resolve(folder, `libgpiod-${version}`);
  const mbedtlsVersion = found(mbedtlsFile, /nound_mbedtls_version (\S+)\)/);
  const zig = cached(folder, "NOUND_ZIG");
  const zigVersion = execFileSync(zig, ["version"], { encoding: "utf8" }).trim();
  const [, zigLibrary] = execFileSync(zig, ["env"], { encoding: "utf8", cwd: root }).match(/\.lib_dir = "(.*)"/) ?? [];
  if (zigLibrary === undefined) throw new Error("`zig env` does not say where its library is.");
  const part = (name) => Number(found(resolve(engine, "quickjs.h"), new RegExp(`#define QJS_VERSION_${name} +(\\d+)`)));
  const libgpiodFiles = ["lib", "include"].flatMap((name) =>
    readdirSync(resolve(libgpiod, name))
      .filter((file) => /\.[ch]$/.test(file))
      .map((file) => resolve(libgpiod, name, file)),
  );
  const engineVersion = `${part("MAJOR")}.${part("MINOR")}.${part("PATCH")}`;
  const engineList = engineFiles(engine);
  const musl = resolve(root, zigLibrary, "libc/musl");
  const muslVersion = found(resolve(musl, "src/internal/version.h"), /#define VERSION "([^"]+)"/);
  const libgpiodHash = found(libgpiodFile, /nound_libgpiod_sha256 ([0-9a-f]{64})/);
  const mbedtlsHash = found(mbedtlsFile, /nound_mbedtls_sha256 ([0-9a-f]{64})/);
  const licence = (path) => readFileSync(path, "utf8");
  return [
    {
      what: "the JavaScript engine",
      ...scannedAs("quickjs-ng", engineVersion),
      hash: createHash("sha256").update(engineList).digest("hex"),
      address: "https://github.com/quickjs-ng/quickjs",
      files: engineList,
      notice: ["quickjs-ng", "unicode"]
        .map((name) => licence(resolve(import.meta.dirname, `${name}-licence.txt`)))
        .join("\n"),
    },
    {
      what: "GPIO by the character device",
      ...scannedAs("libgpiod", version),
      hash: libgpiodHash,
      address: "https://git.kernel.org/pub/scm/libs/libgpiod/libgpiod.git",
      checksum: libgpiodHash,
      notice: `${copyrightLines(libgpiodFiles)}\n${licence(resolve(libgpiod, "LICENSES/LGPL-2.1-or-later.txt"))}`,
    },
    {
      what: "TLS",
      ...scannedAs("mbedtls", mbedtlsVersion),
      hash: mbedtlsHash,
      address: "https://github.com/Mbed-TLS/mbedtls",
      checksum: mbedtlsHash,
      notice: licence(resolve(folder, `mbedtls-${mbedtlsVersion}`, "LICENSE")),
    },
    {
      what: `the C library, as zig ${zigVersion} has it`,
      ...scannedAs("musl", muslVersion),
      hash: hashOfFolder(musl),
      address: "https://musl.libc.org",
      notice: licence(resolve(musl, "COPYRIGHT")),
    },
    {
      what: "the compiler's run-time library and its parts of the C library",
      ...scannedAs("zig", zigVersion),
      hash: sha256(zig),
      address: "https://ziglang.org",
      notice: licence(resolve(import.meta.dirname, "zig-licence.txt")),
    },
  ];
}
