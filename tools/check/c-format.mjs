/**
 * Checks that the C code is formatted as .clang-format says, by the clang-format of `npm ci`; `--write` formats it.
 *
 *     node tools/check/c-format.mjs [--write]
 */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { clangFormatPath } from "clang-format-node";

const root = resolve(import.meta.dirname, "../..");
const write = process.argv.includes("--write");

/** The C files of the project: those git has, and those it would have after `git add`. */
function cFiles() {
  const patterns = [
    "native/*.c",
    "native/*.h",
    "test/bench/*.c",
    "test/e2e/*.c",
    "test/e2e/leaking/*.c",
    "test/e2e/forbidden/*.c",
    "test/targets/*.c",
    "test/fuzz/*.c",
    "test/fuzz/*.h",
    "test/board/guest/*.c",
    "test/board/guest/*.h",
  ];
  const list = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...patterns],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  return list.split("\0").filter((path) => path !== "");
}

const wrong = cFiles().filter((path) => {
  const file = resolve(root, path);
  const formatted = execFileSync(clangFormatPath, ["--style=file", file], { encoding: "utf8" });
  if (formatted === readFileSync(file, "utf8")) return false;
  if (write) writeFileSync(file, formatted);
  return true;
});
if (wrong.length > 0 && !write) {
  console.error(`Not formatted; \`npm run format\` does it:\n${wrong.map((path) => `  ${path}`).join("\n")}`);
  process.exit(1);
}
