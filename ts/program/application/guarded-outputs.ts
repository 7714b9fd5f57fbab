/**
 * Which nouns the next process has as they are, for guards. A check of a reload says so, and the process that serves
 * brings the other guarded nouns to their defaults before it hands over.
 */
import * as keeper from "nound:keeper";
import { isSame } from "../../platform/read-text.ts";

/** By the names of those nouns, in lower case, "" each. Of an application, nothing but the names is known. */
export type Outputs = { readonly [name: string]: string };

/** Has the check of a reload leave the nouns of the next process. To be called during the start. */
export function askForOutputs(): void {
  isSame("guards", "");
}

/** @returns whether the process that serves has guards. Only a check asks, once. */
export function areOutputsAsked(): boolean {
  return keeper.inherit("hash", "guards") !== undefined;
}

export function outputsOf(names: readonly string[]): Outputs {
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), ""]));
}

/** @returns whether the next process has the noun of a name, unchanged. A check by an earlier version leaves hashes. */
export function isKept(name: string, next: Outputs): boolean {
  return next[name] === "";
}
