/**
 * Checks that the C code is formatted as .clang-format says, by the clang-format of `npm ci`; `--write` formats it.
 *
 *     node tools/check/c-format.mjs [--write]
 */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { clangFormatPath } from "clang-format-node";
import { root, textFiles } from "./files.mjs";

const write = process.argv.includes("--write");

const wrong = textFiles()
  .filter((path) => /\.[ch]$/.test(path))
  .filter((path) => {
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
