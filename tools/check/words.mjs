/**
 * Checks the spelling of pages, sources and comments by cspell (cspell.json), with the project's own words in
 * tools/check/words.txt. A part of `npm run check`.
 */

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { root } from "./files.mjs";

const cspell = resolve(root, "node_modules/cspell/bin.mjs");
const { status } = spawnSync(process.execPath, [cspell, "--no-progress", "--no-summary", "--show-suggestions"], {
  cwd: root,
  stdio: "inherit",
});
if (status !== 0) {
  console.error("Correct the words above, or add the right ones to tools/check/words.txt.");
  process.exit(1);
}
