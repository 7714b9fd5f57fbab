/** The pages in a package, which has neither every file that they link to nor the screenshots. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** A link of Markdown, or a picture: its words, and its address without an anchor. */
const link = /!?\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s#]*)(?:#[^()\s]*)?\)/g;

/**
 * Rewrites a page in place. A link to a file that the package does not have becomes plain text. A paragraph with a
 * screenshot that it does not have goes.
 *
 * @param {string} folder the package, with everything else in it.
 * @param {string} page its path there.
 */
export function fitPage(folder, page) {
  const place = dirname(resolve(folder, page));
  const isMissing = (address) => !/^(?:[a-z]+:|$)/.test(address) && !existsSync(resolve(place, address));
  const fitted = (paragraph) => {
    const missing = [...paragraph.matchAll(link)].filter(([, , address]) => isMissing(address));
    if (missing.some(([, , address]) => address.endsWith(".png"))) return "";
    return paragraph.replace(link, (whole, words, address) => (isMissing(address) ? words : whole));
  };
  const parts = readFileSync(resolve(folder, page), "utf8").split(/(^```.*?^```$)/ms);
  // A link in code is not one.
  const text = parts.map((part, index) => (index % 2 === 1 ? part : part.replace(/(?:.+\n)+\n*/g, fitted)));
  writeFileSync(resolve(folder, page), text.join(""));
}
