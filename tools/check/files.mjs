/** The text files of the project, for its checks. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

/** Data, and texts of other projects. */
const left =
  /\.(?:png|svg|dict|hash|sha256)$|^test\/fuzz\/corpus\.txt$|(?:^|\/)package-lock\.json$|LICENSE$|-licence\.txt$/;

/** @returns {string[]} the paths from `root` that git has or would add, without those of other content. */
export function textFiles() {
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  const paths = [...new Set(list.split("\0"))].filter((path) => path !== "" && !left.test(path));
  // git still has a file that is deleted and not committed.
  return paths.filter((path) => existsSync(resolve(root, path)));
}

/** @returns {string[]} */
export function linesOf(path) {
  return readFileSync(resolve(root, path), "utf8").split("\n");
}
