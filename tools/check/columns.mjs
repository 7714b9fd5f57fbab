/** Checks that lines have 120 columns at most, in every language. A part of `npm run check`. */

import { linesOf, textFiles } from "./files.mjs";

const columns = 120;

/** Files that programs write, and JSON and udev's rules, which have no way to break a long text. */
const unchecked = /^(?:docs\/reference\.md|tools\/api\/report\.md)$|\.(?:json|rules)$/;

/** Whether a line cannot be broken: it has a URL, or is one regular expression, or a row, code or output in a page. */
function isUnbreakable(path, line) {
  if (/https?:\/\//.test(line) || /^\s*\/.+\/[a-z]*[,;)]*$/.test(line)) return true;
  return path.endsWith(".md") && /^(?: *\|| {4})/.test(line);
}

let faults = 0;
for (const path of textFiles().filter((path) => !unchecked.test(path))) {
  let isFenced = false;
  for (const [index, line] of linesOf(path).entries()) {
    if (path.endsWith(".md") && line.startsWith("```")) isFenced = !isFenced;
    const length = [...line].length;
    if (length <= columns || isFenced || isUnbreakable(path, line)) continue;
    faults += 1;
    console.error(`${path}:${index + 1}: ${length} columns; ${columns} are the most`);
  }
}
if (faults > 0) process.exit(1);
