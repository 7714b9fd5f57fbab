/** The files with secrets that a configuration names. */
import type { Configuration } from "./configuration.ts";

/** @returns the path of each file with what it holds, each once. A token file holds hashes, and is none of them. */
export function secretFiles({
  mqtt,
  https,
  tls,
  nouns,
}: Configuration): readonly (readonly [file: string, what: string])[] {
  const named = [
    [mqtt?.password, "the password for the broker"],
    [mqtt?.tls?.key, "the private key for the broker"],
    [tls?.key, "the private key for servers"],
    [https?.key, "the private key for clients"],
    ...Array.from(nouns, ([name, { secret }]) => [secret, `the token that ${name} sends`] as const),
  ] as const;
  return [...new Map(named.flatMap(([file, what]) => (file === undefined ? [] : [[file, what] as const])))];
}
