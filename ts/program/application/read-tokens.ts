/** The tokens of an application, from a token file like that of the stock program. */
import { readTokenText, tokensOf } from "../../core/access/token-file.ts";
import type { Token } from "../../core/access/tokens.ts";
import { system } from "../../platform/platform.ts";

/**
 * Reads a token file. `nound --new-token NAME` prints a line for it. A person who can write the file can add a token,
 * so this function refuses a file that others may write. The file, each folder and each symbolic link on its path must
 * belong to root or to the user of the program. If the program uses `chooseAccount`, call that first. No other user may
 * write the file or one of the folders, and no group except root's.
 * @param path the path of the file, such as `/etc/my-device/tokens`.
 * @returns the tokens, for the server's option `access`.
 * @throws Error with a sentence that names the file and says what is wrong.
 *
 * @example
 * const server = new Server({ access: { tokens: readTokens("/etc/my-device/tokens") } });
 */
export function readTokens(path: string): readonly Token[] {
  return tokensOf(path, readTokenText(system, path));
}
