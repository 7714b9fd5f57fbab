/** Whether a text that the program reads has changed since the last process. Each start needs this. */
import * as keeper from "nound:keeper";
import { toAscii } from "../core/http/utf8.ts";
import { hash } from "./platform.ts";

/**
 * Notes a text that the program has read, by a hash of it: who reads the keeper's memory learns no password.
 * @param name what the text is.
 * @returns whether an earlier process, or the one that serves, has read the same.
 */
export function isSame(name: string, text: string): boolean {
  const [, , before] = keeper.inherit("hash", name) ?? [];
  // Quoted and in ASCII: a configuration may have any character, and other texts stay other texts.
  const now = hash.sha256(toAscii(JSON.stringify(text)));
  keeper.keep("hash", name, 0, now);
  return before === now;
}
