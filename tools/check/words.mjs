/**
 * Checks the words of the project: the spelling of pages, sources and comments by cspell (cspell.json), with the
 * project's own words in tools/check/words.txt, and in every text file phrases that stop a reader, from the list below.
 * A part of `npm run check`.
 */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { linesOf, root, textFiles } from "./files.mjs";

/** What is not plain English, and what to write instead. */
const phrases = [
  [/\bthere is none\b/i, 'say what is missing, as in "undefined without an id"'],
  [/\bstands? there\b/i, '"occurs", "has"'],
  [/\bparted by\b/i, '"separated by"'],
  [/\bmend(?:s|ed|ing)?\b/i, '"fix", "correct"'],
  [/\bcan be become\b/i, '"can become"'],
  [/\b(?:is|are) asked of\b/i, '"requires"'],
  [/\b(?:gives?|gave) way\b/i, '"closes", "ends"'],
  [/\bin the place of\b/i, '"instead of"'],
  [/\bfor want of\b/i, '"because ... is missing"'],
  [/\bto be had\b/i, '"available"'],
  [/\bof one's own\b/i, '"of your own", "its own"'],
  [/\banew\b/i, '"again"'],
  [/\bhold(?:s|ing)? up\b/i, '"delay", "block"'],
  [/\bpass(?:es|ed|ing)? over\b/i, '"skip", "ignore"'],
  [/\bwhoever\b/i, 'a noun, as in "a client that"'],
  [/\bsave for\b/i, '"except"'],
  [/\b(?:thereof|therein|thereby|wherein|whereby|hitherto|whither|thither|hither)\b/i, "a word of today"],
  [/\bits kin\b/i, '"similar"'],
  [/\ban own\b/i, '"of its own", "the application\'s"'],
  [/\bwhat can be said is\b/i, '"the command is"'],
  [/\b(?:lets?|letting) go of\b/i, '"closes", "releases", "frees"'],
  [/\b(?:is|are|was|were) of (?:no )?use\b/i, '"useful", "helps"'],
  [/\bwhere there (?:is|are) (?:none|one)\b/i, '"if there is one", "without one"'],
  [/\bwhere (?:this|that|it) fails\b/i, '"if this fails"'],
  [/\bpromise\b[^.]{0,40} (?:is|are|was|were) (?:kept|broken)\b/i, '"resolved", "rejected"'],
  [/\bcounts? as none\b/i, 'what happens, as in "is ignored"'],
  [/\btold apart\b/i, '"distinguished"'],
  [/\bsays? nothing of\b/i, '"does not say", "does not show"'],
  [/\ball the while\b/i, '"meanwhile"'],
  [/\bnobody's business\b/i, 'why, as in "is not shown"'],
  [/^\W*(?:\/\*\*|\*|\/\/) Is told of\b/, '"Called for", "Called with"'],
  [/\blest\b/i, '"so that ... not", "because otherwise"'],
  [/\bSee the module's description\b/, "a sentence about the class, or nothing"],
  [
    /(?:^|[.;] )Who (?!(?:is|are|was|has|can|may|must|does|do|did|will|would)\b)[a-z]+[^?]*$/,
    'a noun, as in "A client that"',
  ],
];

let faults = 0;
for (const path of textFiles().filter((path) => path !== "tools/check/words.mjs")) {
  for (const [index, line] of linesOf(path).entries()) {
    for (const [phrase, instead] of phrases) {
      const found = phrase.exec(line);
      if (found === null) continue;
      faults += 1;
      console.error(`${path}:${index + 1}: "${found[0].trim()}" is hard to read: write ${instead}`);
    }
  }
}

const cspell = resolve(root, "node_modules/cspell/bin.mjs");
if (!existsSync(cspell)) {
  console.error("cspell is not installed: run `npm ci`.");
  process.exit(1);
}
const { status } = spawnSync(process.execPath, [cspell, "--no-progress", "--no-summary", "--show-suggestions"], {
  cwd: root,
  stdio: "inherit",
});
if (status !== 0) {
  console.error("Correct the words above, or add the right ones to tools/check/words.txt.");
  faults += 1;
}
if (faults > 0) process.exit(1);
