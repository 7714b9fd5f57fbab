/**
 * The token file: a line of four columns for each token, which shell tools can append and edit.
 *
 *     # name   verbs     nouns        SHA-256 of the token
 *     panel    GET,PUT   led,relay.*  9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
 */
import type { System } from "../../native/system.ts";
import { readVerbs } from "./grant.ts";
import { type Token, Tokens } from "./tokens.ts";

/** A token file that is refused. The message names the file, and the line if there is one. */
export class TokenFileError extends Error {
  override readonly name = "TokenFileError";
}

/** Bytes a token file may have: some five hundred tokens. */
const tokenFileBytes = 65_536;

function readLine(columns: readonly string[]): Token {
  const [name = "", verbs = "", nouns = "", hash = "", ...more] = columns;
  if (hash === "" || more.length > 0) {
    const found = columns.length === 1 ? "1 column" : `${columns.length} columns`;
    throw new TypeError(`expected a name, verbs, nouns and a hash, separated by spaces, found ${found}`);
  }
  // The list of tokens checks the values and says what is wrong.
  return { name, verbs: readVerbs(verbs), nouns: nouns.split(","), sha256: hash };
}

/**
 * @param path the name of the file, for sentences.
 * @param text its content.
 * @param mayBeNone whether it may have no token, because the device gives its first one away.
 * @throws TokenFileError naming the first line that is wrong.
 */
export function tokensOf(path: string, text: string, mayBeNone = false): readonly Token[] {
  const tokens: Token[] = [];
  const known = new Tokens([]);
  for (const [index, line] of text.split("\n").entries()) {
    const columns = line.split(/[ \t\r]+/).filter((column) => column !== "");
    if (columns.length === 0 || columns[0]?.startsWith("#")) continue;
    try {
      const token = readLine(columns);
      known.add(token);
      tokens.push(token);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new TokenFileError(`${path}: line ${index + 1}: ${error.message}`);
    }
  }
  if (tokens.length === 0 && !mayBeNone) {
    throw new TokenFileError(`${path}: it has no token; nound --new-token NAME makes one, and its line`);
  }
  return tokens;
}

/**
 * Reads the text of the token file at a path. A person who can write the file can add a token. So the file is refused
 * if other users can write it.
 * @throws Error naming the file and what is wrong.
 */
export function readTokenText(system: Pick<System, "readTextFile">, path: string): string {
  // Editors of Windows write a byte order mark.
  return system.readTextFile(path, tokenFileBytes, "always").replace(/^\uFEFF/, "");
}
