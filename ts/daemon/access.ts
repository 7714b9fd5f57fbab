/** From what the configuration says of who may speak to what the server takes, and the making of tokens. */
import type { Hash } from "../native/hash.ts";
import type { System } from "../native/system.ts";
import type { AccessOptions } from "../server/access.ts";
import { loadTokens } from "../server/token-file.ts";
import type { AccessPlan } from "./access-setting.ts";
import { newToken, TokenNameError } from "./new-token.ts";
import { exitStatus, StartError, sentenceOf } from "./start-error.ts";

/**
 * Reads the token file, where there is one.
 * @throws StartError naming it and what is wrong.
 */
export function loadAccess(system: System, { tokens: path, ...plan }: AccessPlan): AccessOptions {
  if (path === undefined) return plan;
  try {
    return { ...plan, tokens: loadTokens(system, path) };
  } catch (error) {
    throw new StartError(sentenceOf(error), exitStatus.configuration);
  }
}

/**
 * Makes a token. Its line goes to standard output, for the shell to append to the file; the token itself, which nobody can find
 * out again, to standard error.
 * @throws StartError when the name is malformed or the kernel has no random numbers.
 */
export function printNewToken(system: System, hash: Hash, name: string): void {
  try {
    const { token, line } = newToken(name, system.randomHex, hash);
    system.printOutput(line);
    system.printError(`nound: the token of ${name}, shown this once: ${token}\n`);
  } catch (error) {
    throw new StartError(
      sentenceOf(error),
      error instanceof TokenNameError ? exitStatus.usage : exitStatus.unavailable,
    );
  }
}
