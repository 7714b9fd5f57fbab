/** Which Mbed TLS of a system a build takes (cmake/Mbedtls.cmake). */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { project } from "./harness/relocated-root.ts";

const hasCmake = ["cmake", "ninja"].every((program) => spawnSync(program, ["--version"]).status === 0);

/** Configures with a system's headers. @param file of these that has the version. @returns what CMake says. */
function configured(file: string, version: string): { readonly status: number | null; readonly text: string } {
  const folder = mkdtempSync(join(tmpdir(), "nound-mbedtls-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "include/mbedtls"), { recursive: true });
  writeFileSync(join(folder, "include/mbedtls", file), `#define MBEDTLS_VERSION_STRING         "${version}"\n`);
  writeFileSync(
    join(folder, "CMakeLists.txt"),
    `cmake_minimum_required(VERSION 3.25)\nproject(test LANGUAGES NONE)\ninclude("${project}/cmake/Mbedtls.cmake")\n`,
  );
  const libraries = ["mbedtls", "mbedx509", "mbedcrypto"].map((name) => `-DNOUND_LIB${name}=/lib/lib${name}.so`);
  const options = ["-DNOUND_MBEDTLS=system", `-DNOUND_MBEDTLS_INCLUDE=${folder}/include`, ...libraries];
  const { status, stderr } = spawnSync(
    "cmake",
    ["-G", "Ninja", "-S", folder, "-B", join(folder, "build"), ...options],
    { encoding: "utf8" },
  );
  return { status, text: stderr.replace(/\s+/g, " ") };
}

test.skipIf(!hasCmake).each([
  ["version.h", "2.28.3"],
  ["build_info.h", "4.0.0"],
])("the one with %s of %s is refused with a sentence", (file, version) => {
  const { status, text } = configured(file, version);
  expect(status).not.toBe(0);
  expect(text).toContain(`This system has Mbed TLS ${version}, and nound needs Mbed TLS 3.6 with its headers`);
});

test.skipIf(!hasCmake)("3.6.7 is taken, and 3.6.6 with a warning of what it cannot do", () => {
  expect(configured("build_info.h", "3.6.7")).toEqual({ status: 0, text: "" });
  const { status, text } = configured("build_info.h", "3.6.6");
  expect(status).toBe(0);
  expect(text).toContain("refuses servers with an RSA key that speak TLS 1.2");
});
