/** The tokens of an application, from the file that the stock program has them in. */
import { loadTokens } from "../server/token-file.ts";
import type { Token } from "../server/tokens.ts";
import { system } from "./platform.ts";

/**
 * Reads a token file, whose lines `nound --new-token NAME` makes. Everyone who can write it could let himself in, so the file must
 * belong to root or to the user that the program runs as (`chooseAccount` comes before), as must each folder and each link on its
 * path. Nobody else may write to it or to a folder on its path, neither everyone nor a group other than root's.
 * @param path the file's.
 * @throws Error with a sentence that names the file and what is wrong.
 *
 * @example
 * const server = new Server({ access: { tokens: readTokens("/etc/my-device/tokens") } });
 */
export function readTokens(path: string): readonly Token[] {
  return loadTokens(system, path);
}
