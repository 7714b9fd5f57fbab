/** The making of tokens: random, and shown once. */
import type { Hash } from "../native/hash.ts";
import { allVerbs } from "../server/token-file.ts";
import { isTokenName } from "../server/tokens.ts";
import { quote } from "./one-line.ts";

/** What cannot name a token. */
export class TokenNameError extends Error {
  override readonly name = "TokenNameError";
}

/** Random bytes of a token: 160 bits. */
const tokenBytes = 20;

/** A new token and its line for the file. */
export interface NewToken {
  readonly token: string;
  /** With every verb and noun, which its reader may take away; ends with a line end. */
  readonly line: string;
}

/**
 * @param name of the token.
 * @param randomHex gives so many random bytes as hexadecimal digits.
 * @throws TokenNameError when it cannot be a token's name.
 */
export function newToken(name: string, randomHex: (bytes: number) => string, { sha256 }: Hash): NewToken {
  if (!isTokenName(name)) {
    throw new TokenNameError(`a token's name is 1 to 64 of a-z A-Z 0-9 . _ ~ -, not ${quote(name)}`);
  }
  const token = randomHex(tokenBytes);
  return { token, line: `${name} ${allVerbs.join(",")} * ${sha256(token)}\n` };
}
