/**
 * Prints which tests show a section of a standard: `npm run evidence [-- WORD]`. A test names the section in its title,
 * or its file names it in a comment or in the name of a vector. With WORD, only lines that have it.
 */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const word = process.argv[2] ?? "";
const files = execFileSync("git", ["ls-files", "test"], { encoding: "utf8" }).split("\n");
const found = new Map();
for (const file of files.filter((name) => name.endsWith(".ts"))) {
  // A list such as "RFC 9112, 3.2; RFC 9110, 7.2 and 9.3".
  for (const line of readFileSync(file, "utf8").split("\n")) {
    for (const [, standard, sections] of line.matchAll(/RFC (\d{4})(?:, ((?:[\d.]*\d(?:, | and )?)+))?/g)) {
      for (const section of sections?.split(/, | and /) ?? [""]) {
        const key = `RFC ${standard}${section === "" ? "" : `, ${section}`}`;
        const title = /test(?:\.\w+)*\(\s*["'`](.*)["'`],/.exec(line)?.[1];
        found.set(key, (found.get(key) ?? new Set()).add(title === undefined ? file : `${file} "${title}"`));
      }
    }
  }
}
const inOrder = [...found].sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true }));
for (const [section, tests] of inOrder)
  for (const test of tests) if (`${section} ${test}`.includes(word)) console.log(`${section.padEnd(18)} ${test}`);
