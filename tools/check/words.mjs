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
  // Sentences that stopped readers, and what they were replaced by.
  [/\bfor those that differ from it\b/i, '"later requests may differ in ..."'],
  [/@throws what is no\b/i, 'what is thrown, as in "Rethrows anything but an HttpError."'],
  [/\bwhat has come of\b/i, '"a partial head", "what was received"'],
  [/\bms within which that\b/i, 'what is waited for, as in "ms to wait after a full read"'],
  [/\bas much was read as\b/i, '"a read that filled the buffer"'],
  [/\bdoes what is left\b/i, '"finishes the rest"'],
  [/\bof one that was seen once\b/i, '"after one sighting"'],
  [/\bwhose first letter tells\b/i, 'what happens, as in "An ignored field line yields one empty token."'],
  [/\blet (?:him|it|them)sel(?:f|ves) in\b/i, '"add a token", "gain access"'],
  [/\bfor one that is not there\b/i, '"reports that it is missing"'],
  [/\b(?:goOn|badEnd|Happenings|isDoubtful|isUntold)\b/, 'the name of the thing, as in "continueSignal"'],
  [/\bA thing of the device is\b/, '"Each thing the device has is"'],
  [/\bno library, no interpreter\b/i, '"no dependencies"'],
  [/\bin a sentence what to (?:correct|fix)\b/i, '"tells you what to fix"'],
  [/\bEnd the demonstration by\b/i, '"Stop the demo with"'],
  [/\bare for the descriptions of the device\b/i, '"name things for people"'],
  [/\bswitch(?:es)? on at the low level\b/i, '"is active-low"'],
  [/\bgives? its stream up\b/i, '"disconnects"'],
  [/\bOf the values that you\b/, '"If you enter several values"'],
  [/\bare what the kernel offers\b/i, '"are Linux sandboxing features"'],
  [/\bgive himself\b/i, '"grant themselves"'],
  [/\bshows? that much later\b/i, '"shows up to 30 s late"'],
  [/\bwhat nound calls it\b/i, '"How familiar concepts map to nound."'],
  [/\bis not what makes\b|\bis what makes\b/i, 'the subject first, as in "A token is safe because of ..."'],
  [/\bkept the server or the client from\b/i, '"Time lost to other processes is excluded."'],
  [/\bWhat the turns are worth\b/i, '"To check the method"'],
  [/\bthe flood breathe\b/i, '"pace the flood"'],
  // What a reader of English as a second language reads twice.
  [/\banother [a-z]+ than\b/i, 'the difference, as in "a number other than 0"'],
  [/(?<!\b(?:are|were) )\ball the same\b/i, '"anyway", "still"'],
  [/; there are: /, '"; available: "'],
  [/\bserves? on as\b/i, '"keeps serving as"'],
  [/\bshall\b/i, '"must", "will"'],
  [/\bto [a-z]+ (?:[a-z]+ ){1,6}costs? [0-9]/i, 'the subject first, as in "A new field costs 600 instructions"'],
  [/\bis no valid\b/i, '"is not a valid"'],
  [
    /^(?!.*\?)(?:\W*|.*\. )What is (?:not )?[a-z]+(?:ed|en) (?:is|are|gets|goes|stays|needs) /,
    'a noun first, as in "Open files"',
  ],
];

/** What is not plain English in a page. */
const pagePhrases = [
  [/\]\([^)]*\) says?\b/, '"shows", "explains", "lists"'],
  [/\b(?:tells?|told|telling) of\b/i, '"reports", "announces"'],
  [/\bserves? on\b(?= (?:as|without|until))/i, '"keeps serving"'],
  [/\bis what (?:you|it|they|the|a|an|nound)\b/i, 'the subject first, as in "Its length makes a token safe"'],
];

let faults = 0;
for (const path of textFiles().filter((path) => path !== "tools/check/words.mjs")) {
  for (const [index, line] of linesOf(path).entries()) {
    for (const [phrase, instead] of path.endsWith(".md") ? [...phrases, ...pagePhrases] : phrases) {
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
