/** A text as a JSON string (RFC 8259, 7). */
import { type Characters, tokens, transitionTable } from "../grammar/transition-table.ts";

/** Printable ASCII without the quotation mark and the backslash: JSON holds these characters as they are. */
const plain: Characters = [" !", "#[", "]~"];

/** Made when the first text is written. */
let table: ArrayBuffer | undefined;

/** @param text without half of a surrogate pair. @returns the text quoted as `JSON.stringify` does. */
export function jsonString(text: string): string {
  table ??= transitionTable([
    ["start", plain, "accepted"],
    ["accepted", plain, "accepted"],
  ]);
  return tokens(text, table) === undefined ? JSON.stringify(text) : `"${text}"`;
}
