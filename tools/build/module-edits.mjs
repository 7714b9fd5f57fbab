/** Edits to the text of a module, by the places of its syntax tree. */

import { parse } from "acorn";

/** @param {string} text of a module. @returns {import("acorn").Program} its syntax tree. */
export function parseModule(text) {
  return parse(text, { ecmaVersion: "latest", sourceType: "module" });
}

/**
 * @param {string} text
 * @param {readonly { start: number, end: number, by: string }[]} edits what is replaced by what; they do not overlap.
 * @returns {string} the text after the edits.
 */
export function edited(text, edits) {
  let done = 0;
  const pieces = edits
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, end, by }) => {
      const piece = text.slice(done, start) + by;
      done = end;
      return piece;
    });
  return pieces.join("") + text.slice(done);
}
