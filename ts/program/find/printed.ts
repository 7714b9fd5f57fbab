/** What `--find` prints. Names of the system may have control characters, which must not reach the terminal. */
import { oneLine } from "../../platform/one-line.ts";
import { system } from "../../platform/platform.ts";
import type { JsonObject } from "../../settings/json.ts";

/** Prints a sentence for people. */
export function printSentence(sentence: string): void {
  system.printError(`nound: ${oneLine(sentence)}\n`);
}

/** Prints a noun for a configuration. */
export function printNoun(name: string, noun: JsonObject): void {
  system.printOutput(`${oneLine(JSON.stringify({ [name]: noun }))}\n`);
}

/** The longest name of a noun that is made here. */
const longestName = 60;

/** @returns a name for a noun that none of `taken` is. */
export function nounNameFor(title: string, taken: ReadonlyMap<string, unknown>): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, "-")
    .slice(0, longestName)
    .replace(/^[.-]+|-+$/g, "");
  // The last two would be the paths of documents.
  const plain = ["", "metrics", "openapi.json"].includes(name) ? `noun-${name}`.replace(/-$/, "") : name;
  let unique = plain;
  for (let number = 2; taken.has(unique); number++) unique = `${plain}-${number}`;
  return unique;
}
