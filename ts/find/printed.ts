/** What `--find` prints. Names of the system may have control characters, which must not reach the terminal. */
import { oneLine } from "../application/one-line.ts";
import { system } from "../application/platform.ts";
import type { JsonObject } from "../configuration/json.ts";

/** Prints a sentence for people. */
export function printSentence(sentence: string): void {
  system.printError(`nound: ${oneLine(sentence)}\n`);
}

/** Prints a noun for a configuration. */
export function printNoun(name: string, noun: JsonObject): void {
  system.printOutput(`${oneLine(JSON.stringify({ [name]: noun }))}\n`);
}
