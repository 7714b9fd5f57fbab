/** The signature of a release: of SHA256SUMS, which has the hashes of all its files. */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";

/** @returns {boolean} whether `sign` knows a key. */
export function isKey(key) {
  return existsSync(key) || spawnSync("gpg", ["--list-secret-keys", key]).status === 0;
}

/**
 * Signs a file, beside it.
 *
 * @param {string} file
 * @param {string} key the path of a private key of ssh, which leaves `<file>.sig` for the namespace "nound", or else
 * the name of a key of gpg, which leaves `<file>.asc`.
 * @throws if the program refuses; it has printed why.
 */
export function sign(file, key) {
  const options = { stdio: ["inherit", "inherit", "inherit"] };
  for (const old of [`${file}.sig`, `${file}.asc`]) rmSync(old, { force: true });
  if (existsSync(key)) execFileSync("ssh-keygen", ["-Y", "sign", "-q", "-f", key, "-n", "nound", file], options);
  else execFileSync("gpg", ["--armor", "--detach-sign", "--local-user", key, file], options);
}
