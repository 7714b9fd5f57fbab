/**
 * Which nouns the next process has, for guards. A check of a reload says so, and the process that serves brings the
 * other guarded nouns to their defaults before it hands over.
 */
import * as keeper from "nound:keeper";
import { ofProgram } from "../../native/of-program.ts";
import { hashOf, isSame } from "../../platform/read-text.ts";

/**
 * By the name of a noun in lower case, what it is: a hash of its configuration; "" in an application, where the name
 * is all that is known.
 */
export type Outputs = { readonly [name: string]: string };

/** In the process that serves, the nouns that guards concern; in a check, all nouns of the next process. */
const noted = ofProgram<Noted>(() => ({}));

interface Noted {
  /** As JSON until it is first needed: one text takes less memory than a thousand. */
  text?: string;
  outputs?: Outputs;
}

/** Has the check of a reload leave the nouns of the next process. To be called during the start. */
export function askForOutputs(): void {
  isSame("guards", "");
}

/** @returns whether the process that serves has guards. Only a check asks, once. */
export function areOutputsAsked(): boolean {
  return keeper.inherit("hash", "guards") !== undefined;
}

/** @param texts of the configurations of nouns, by their names. */
export function outputsOf(texts: Iterable<readonly [name: string, text: string]>): Outputs {
  return Object.fromEntries(Array.from(texts, ([name, text]) => [name.toLowerCase(), hashOf(text).slice(0, 32)]));
}

export function noteOutputs(outputs: Outputs): void {
  noted().text = JSON.stringify(outputs);
}

/** @returns what was noted; undefined for nothing. */
export function notedOutputs(): Outputs | undefined {
  const own = noted();
  if (own.text !== undefined) own.outputs = JSON.parse(own.text) as Outputs;
  delete own.text;
  return own.outputs;
}

/** @returns whether the next process has the noun of a name, unchanged. @param next its nouns. */
export function isKept(name: string, next: Outputs): boolean {
  return next[name] === (notedOutputs()?.[name] ?? "");
}
