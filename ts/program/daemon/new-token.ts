/** Makes tokens. A token is random and is shown once. */

import { allVerbs } from "../../core/access/grant.ts";
import { isTokenName, tokenBytes } from "../../core/access/tokens.ts";
import { quote } from "../../platform/one-line.ts";
import { hash, system } from "../../platform/platform.ts";
import { attempt, exitStatus, StartError } from "../../platform/start-error.ts";

/** Bytes of a file that is looked at: more than a token file may have. */
const mostBytes = 131_072;

/** @returns whether standard output is a file whose last line has no end, so that what is appended would merge with it. */
function endsInLine(): boolean {
  try {
    return /[^\n]$/.test(system.readTextFile("/proc/self/fd/1", mostBytes));
  } catch {
    return false; // It is no file, or one that nobody but this process's parent may read.
  }
}

/**
 * Makes a token. It prints the line for the token file to standard output, so that the shell can append it. The line
 * allows every verb and noun; a person can edit it. It prints the token itself to standard error. Nobody can find the
 * token out again.
 * @throws StartError when the name is malformed or the kernel has no random numbers.
 */
export function printNewToken(name: string): void {
  if (!isTokenName(name)) {
    const sentence = `a token's name has 1 to 64 characters of a-z A-Z 0-9 . _ ~ -, not ${quote(name)}`;
    throw new StartError(sentence, exitStatus.usage);
  }
  const token = attempt(exitStatus.unavailable, () => system.randomHex(tokenBytes, true));
  system.printOutput(`${endsInLine() ? "\n" : ""}${name} ${allVerbs.join(",")} * ${hash.sha256(token)}\n`);
  system.printError(`nound: the token of ${name}, shown this once: ${token}\n`);
}
