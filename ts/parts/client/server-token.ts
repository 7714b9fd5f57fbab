/** The token for another server, in a file of this device. */
import { isPrivateAddress } from "../../core/grammar/server-address.ts";
import { system } from "../../platform/platform.ts";
import { isSame } from "../../platform/read-text.ts";

/** Bytes of a file with a token: people write a line. */
const tokenFileBytes = 4_096;

/** RFC 6750, 2.1. */
const tokenPattern = /^[A-Za-z0-9._~+/-]+=*$/;

/** @throws Error with a sentence if the file cannot be trusted, or holds no token. */
function readToken(path: string): string {
  const token = system.readTextFile(path, tokenFileBytes, "always").replace(/^\uFEFF|\r?\n$/g, "");
  if (!tokenPattern.test(token)) throw new Error(`${path} has no token: one line of A-Z a-z 0-9 . _ ~ + / - =`);
  return token;
}

/**
 * @param user names who sends the token, for a reload: `webhook notify`. @param path of the file; undefined for none.
 * @returns the token, which a reload compares with the next one.
 * @throws as `readToken`.
 */
export function takeToken(user: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const token = readToken(path);
  isSame(user, token);
  return token;
}

/**
 * @param user as for `takeToken`. @param target the server's address. @param server what it is, for people.
 * @param note as in `NounPlan.advise`.
 * @returns what a person should know; undefined if all is well.
 * @throws as `readToken`.
 */
export function adviceOnToken(
  user: string,
  path: string | undefined,
  target: string,
  server: string,
  note: (file: string, text: string) => void,
): string | undefined {
  if (path === undefined) return undefined;
  note(user, readToken(path));
  if (isPrivateAddress(target)) return undefined;
  return `the token for ${target} leaves this device unencrypted: write https:// if the ${server} has TLS`;
}
