/** The version that a build names, with the commit that it finds (cmake/Version.cmake). */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { project } from "./harness/relocated-root.ts";

const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
const given = "a52e1cc0ffee1234567890123456789012345678";
const hasCmake = spawnSync("cmake", ["--version"]).status === 0;

/** @returns a folder with what the version is read from. */
function source(): string {
  const folder = mkdtempSync(join(tmpdir(), "nound-version-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "cmake"));
  for (const file of ["package.json", "cmake/Version.cmake"]) cpSync(join(project, file), join(folder, file));
  // A script cannot say what configures again.
  const script = [
    "function(set_property)\nendfunction()",
    "include(cmake/Version.cmake)",
    `message("\${NOUND_VERSION}")`,
    `if(DATE)\n  message("\${NOUND_DATE}")\nendif()\n`,
  ].join("\n");
  writeFileSync(join(folder, "version.cmake"), script);
  return folder;
}

/** Makes a folder a repository with one commit. @returns the commit. */
function commit(folder: string): string {
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "--message=first");
  return git("rev-parse", "HEAD").trim();
}

/** @returns what CMake says of a folder. */
function tell(
  folder: string,
  ...options: readonly string[]
): { readonly status: number | null; readonly text: string } {
  const { status, stderr } = spawnSync("cmake", [...options, "-P", "version.cmake"], { cwd: folder, encoding: "utf8" });
  return { status, text: stderr };
}

test.skipIf(!hasCmake)("a checkout names its commit by seven digits", () => {
  const folder = source();
  const name = commit(folder).slice(0, 7);
  expect(tell(folder)).toEqual({ status: 0, text: `${version}+${name}\n` });
});

test.skipIf(!hasCmake)("the file of a source tarball names it, also inside another repository", () => {
  const folder = source();
  commit(folder);
  writeFileSync(join(folder, "commit"), `${given}\n`);
  expect(tell(folder)).toEqual({ status: 0, text: `${version}+a52e1cc\n` });
});

test.skipIf(!hasCmake)(
  "the file of a source tarball has the date of its commit, which SOURCE_DATE_EPOCH replaces",
  () => {
    const folder = source();
    writeFileSync(join(folder, "commit"), `${given}\n1795000000\n`);
    const named = `${version}+a52e1cc\n`;
    expect(tell(folder, "-DDATE=on").text).toBe(`${named}1795000000\n`);
    const options = ["-E", "env", "SOURCE_DATE_EPOCH=1796000000", "cmake", "-DDATE=on", "-P", "version.cmake"];
    expect(spawnSync("cmake", options, { cwd: folder, encoding: "utf8" }).stderr).toBe(`${named}1796000000\n`);
  },
);

test.skipIf(!hasCmake)("source in a folder of another repository does not name that one's commit", () => {
  const folder = source();
  const outside = `${folder}-outside`;
  mkdirSync(outside);
  onTestFinished(() => rmSync(outside, { recursive: true }));
  commit(outside);
  cpSync(folder, join(outside, "inside"), { recursive: true });
  expect(tell(join(outside, "inside"))).toEqual({ status: 0, text: `${version}\n` });
});

test.skipIf(!hasCmake)("a builder names it, before all others", () => {
  const folder = source();
  commit(folder);
  expect(tell(folder, "-DNOUND_COMMIT=0123456789")).toEqual({ status: 0, text: `${version}+0123456\n` });
});

test.skipIf(!hasCmake)("without a commit, the version stands alone", () => {
  expect(tell(source())).toEqual({ status: 0, text: `${version}\n` });
});

test.skipIf(!hasCmake)("a text that is no commit is refused", () => {
  const { status, text } = tell(source(), "-DNOUND_COMMIT=main");
  expect(status).toBe(1);
  expect(text).toContain("main is no commit");
});

test("the app of Home Assistant has the version of this release", () => {
  const app = readFileSync(join(project, "packaging/home-assistant/config.yaml"), "utf8");
  expect(app).toContain(`\nversion: "${version}"\n`);
});
