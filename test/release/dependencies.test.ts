/**
 * Builds with every engine and every libgpiod that the build promises to take: the pinned engine and another one,
 * libgpiod bundled, the system's, and none.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { run, temporaryFolder, top } from "./work-folder.ts";

/** The engine that the release was made with. */
function engineOfRelease(): string {
  const cache = readFileSync(join(top, "build/x86_64/CMakeCache.txt"), "utf8");
  return cache.match(/^NOUND_ENGINE_FOLDER:\w+=(.*)$/m)?.[1] ?? "";
}

/** An engine that is not pinned: the same, but for its version. @returns the folder. */
function otherEngine(): string {
  const folder = temporaryFolder();
  cpSync(engineOfRelease(), folder, { recursive: true });
  const header = join(folder, "quickjs.h");
  writeFileSync(header, readFileSync(header, "utf8").replace(/(#define QJS_VERSION_MINOR) +\d+/, "$1 99"));
  return folder;
}

/** Installs libgpiod's release as a system's library, as Debian 12 has only version 1. @returns the folder. */
function installLibgpiod(): string {
  const prefix = temporaryFolder();
  const downloads = join(top, "build/downloads");
  const [release = ""] = readdirSync(downloads).filter((name) => /^libgpiod-.*\.tar\.xz$/.test(name));
  const source = temporaryFolder();
  run("tar", ["-xf", join(downloads, release), "-C", source, "--strip-components=1"]);
  for (const name of ["lib/pkgconfig", "include"]) {
    mkdirSync(join(prefix, name), { recursive: true });
  }
  const [, version = ""] = release.match(/libgpiod-([\d.]+)\.tar/) ?? [];
  const files = readdirSync(join(source, "lib")).filter((name) => name.endsWith(".c"));
  const options = ["-shared", "-fPIC", "-O1", "-w", "-D_GNU_SOURCE", `-DGPIOD_VERSION_STR="${version}"`];
  const paths = files.map((name) => join(source, "lib", name));
  run("cc", [...options, `-I${source}/include`, `-I${source}/lib`, ...paths, "-o", join(prefix, "lib/libgpiod.so")]);
  run("cp", [join(source, "include/gpiod.h"), join(prefix, "include")]);
  writeFileSync(
    join(prefix, "lib/pkgconfig/libgpiod.pc"),
    `Name: libgpiod\nDescription: GPIO\nVersion: ${version}\nLibs: -L${prefix}/lib -lgpiod\nCflags: ` +
      `-I${prefix}/include\n`,
  );
  return prefix;
}

/**
 * The engine optimized less, which takes a third of the time: what is tested is that it compiles, links and computes.
 */
const quickly = "-DNOUND_ENGINE_OPTIONS=-O1";

/**
 * Configures and builds what is tested. @returns what `nound --version` prints, and what the engine's checks came to.
 */
function built(folder: string, options: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  run("cmake", ["-S", top, "-B", folder, "-G", "Ninja", "-DNOUND_TESTS=ON", quickly, ...options], { environment });
  run("cmake", ["--build", folder, "--target", "nound", "nound-engine", "engine-api-test"], { environment });
  run(join(folder, "engine-api-test"), [], { environment });
  run(join(folder, "nound"), ["--check", "--config", join(top, "examples/demo/nound.json")], { environment });
  return {
    version: run(join(folder, "nound"), ["--version"], { environment }),
    engine: JSON.parse(run(join(folder, "nound-engine"), [], { environment })),
  };
}

describe.each([
  { engine: "the release's engine", find: engineOfRelease, version: /quickjs-ng 0\.(1[7-9]|[2-9]\d)/ },
  { engine: "an engine that is not pinned", find: otherEngine, version: /quickjs-ng 0\.99/ },
])("$engine", ({ find, version }) => {
  let engine = "";
  let zigFolder = "";
  beforeAll(() => {
    engine = `-DQUICKJS_DIR=${find()}`;
    zigFolder = temporaryFolder();
  });
  const byZig = `-DCMAKE_TOOLCHAIN_FILE=${join(top, "toolchains/host.cmake")}`;

  test.each([
    { libgpiod: "bundled", backends: "GPIO: gpiod, sysfs" },
    { libgpiod: "off", backends: "GPIO: sysfs" },
  ])("with libgpiod $libgpiod, by zig", ({ libgpiod, backends }) => {
    const result = built(zigFolder, [byZig, engine, `-DNOUND_LIBGPIOD=${libgpiod}`]);
    expect(result.version).toMatch(version);
    expect(result.version).toContain(backends);
    expect(result.engine.failures).toEqual([]);
  });

  test("with the system's libgpiod, by the system's compiler", () => {
    const prefix = installLibgpiod();
    const environment = { PKG_CONFIG_PATH: join(prefix, "lib/pkgconfig"), LD_LIBRARY_PATH: join(prefix, "lib") };
    const folder = temporaryFolder();
    const result = built(folder, [engine, "-DNOUND_LIBGPIOD=system", `-DCMAKE_PREFIX_PATH=${prefix}`], environment);
    expect(result.version).toMatch(version);
    expect(result.version).toContain("GPIO: gpiod, sysfs");
    expect(result.engine.failures).toEqual([]);
    expect(run("ldd", [join(folder, "nound")], { environment })).toContain(join(prefix, "lib/libgpiod.so"));
  });
});

test("an engine that is not pinned is reported with both hashes, and refused if only the pinned one is allowed", () => {
  const folder = temporaryFolder();
  const configure = (...options: readonly string[]) =>
    spawnSync("cmake", ["-S", top, "-B", folder, "-G", "Ninja", `-DQUICKJS_DIR=${otherEngine()}`, ...options], {
      encoding: "utf8",
    });
  const told =
    /QuickJS-ng 0\.99\.0 with the\s+SHA-256\s+[0-9a-f]{64},\s+is\s+not\s+the\s+pinned\s+one,\s+\S+\s+with\s+the\s+SHA-256\s+[0-9a-f]{64}/;
  const taken = configure("-DNOUND_LIBGPIOD=off");
  expect(taken.stderr).toMatch(told);
  expect(taken.status).toBe(0);
  const refused = configure("-DNOUND_ENGINE=pinned");
  expect(refused.stderr).toMatch(told);
  // CMake breaks lines where they get too long, which depends on the name of the folder.
  expect(refused.stderr.replace(/\s+/g, " ")).toContain("npm run dist -- --engine any");
  expect(refused.status).not.toBe(0);
});
