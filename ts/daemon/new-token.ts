/** The making of tokens: random, and shown once. */

import { allVerbs } from "../access/token-file.ts";
import { isTokenName } from "../access/tokens.ts";
import { quote } from "../application/one-line.ts";
import { hash, system } from "../application/platform.ts";
import { attempt, exitStatus, StartError } from "../application/start-error.ts";

/** Random bytes of a token: 160 bits. */
const tokenBytes = 20;

/**
 * Makes a token. Its line, with every verb and noun, which its reader may take away, goes to standard output, for the shell to append
 * to the file; the token itself, which nobody can find out again, to standard error.
 * @throws StartError when the name is malformed or the kernel has no random numbers.
 */
export function printNewToken(name: string): void {
  if (!isTokenName(name)) {
    const sentence = `a token's name has 1 to 64 characters of a-z A-Z 0-9 . _ ~ -, not ${quote(name)}`;
    throw new StartError(sentence, exitStatus.usage);
  }
  const token = attempt(exitStatus.unavailable, () => system.randomHex(tokenBytes));
  system.printOutput(`${name} ${allVerbs.join(",")} * ${hash.sha256(token)}\n`);
  system.printError(`nound: the token of ${name}, shown this once: ${token}\n`);
}
