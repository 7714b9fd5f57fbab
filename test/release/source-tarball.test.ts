/** The source tarball of `npm run dist`: a distribution builds from it, and everyone who wants another libgpiod. */
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dist, programsWithout, run, temporaryFolder, top } from "./work-folder.ts";

const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));

function unpacked(): string {
  const folder = temporaryFolder();
  run("tar", ["-xf", join(dist, `nound-${version}.tar.xz`), "-C", folder]);
  return join(folder, `nound-${version}`);
}

/** Builds it in a machine without Node, npm, Ninja and zig. @returns the binary. */
function build(
  source: string,
  options: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): string {
  const PATH = programsWithout(/^(node|nodejs|npm|npx|ninja|zig)/);
  const settings = { folder: source, environment: { ...environment, PATH } };
  run("cmake", ["-B", "build", ...options], settings);
  run("cmake", ["--build", "build", "-j2"], settings);
  return join(source, "build/nound");
}

test("builds with CMake and a C compiler alone", () => {
  const source = unpacked();
  const nound = build(source);
  const commit = run("git", ["rev-parse", "HEAD"], { folder: top }).slice(0, 7);
  expect(run(nound, ["--version"])).toMatch(
    new RegExp(`^nound ${version}\\+${commit} \\(quickjs-ng .*GPIO: gpiod, sysfs\\)`),
  );
  expect(run(nound, ["--check", "--config", join(source, "examples/demo/nound.json")])).toMatch(/listens on/);
  run("cmake", ["--install", "build", "--prefix", join(source, "installed")], { folder: source });
  expect(existsSync(join(source, "installed/bin/nound"))).toBe(true);
});

test("relinks the binary of a board with another libgpiod, as RELINKING.txt says", () => {
  const source = unpacked();
  const libgpiod = temporaryFolder();
  const [release = ""] = readdirSync(join(source, "vendor")).filter((name) => name.startsWith("libgpiod"));
  run("tar", ["-xf", join(source, "vendor", release), "-C", libgpiod, "--strip-components=1"]);
  appendFileSync(
    join(libgpiod, "lib/chip.c"),
    '\n__attribute__((used, retain)) static const char mark[] = "a changed libgpiod";\n',
  );
  const cache = readFileSync(join(top, "build/armv7/CMakeCache.txt"), "utf8");
  const [, zig = ""] = cache.match(/^NOUND_ZIG:\w+=(.*)$/m) ?? [];
  const options = ["-DCMAKE_TOOLCHAIN_FILE=toolchains/armv7.cmake", `-DNOUND_LIBGPIOD_DIR=${libgpiod}`];
  const nound = build(source, options, { ZIG: zig });
  expect(run("qemu-arm-static", ["-cpu", "cortex-a9,neon=off", nound, "--version"])).toContain("GPIO: gpiod, sysfs");
  expect(run("grep", ["-c", "a changed libgpiod", nound]).trim()).not.toBe("0");
});

test("takes the script's text for an engine that did not compile it", () => {
  const source = unpacked();
  appendFileSync(join(source, "vendor/quickjs-ng/quickjs-opcode.h"), "/* another */\n");
  run("cmake", ["-B", "build"], { folder: source });
  const makefile = readFileSync(join(source, "build/CMakeFiles/nound.dir/build.make"), "utf8");
  expect(makefile).toContain("prebuilt/nound-text.c");
  expect(makefile).not.toContain("prebuilt/nound-bytecode.c");
});
