/** Who makes a release, and where it will be: from packaging/release.json and the releaser's environment. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** Ends with a sentence for people. */
function fail(sentence) {
  console.error(`nound: ${sentence}`);
  process.exit(1);
}

/**
 * @returns {{ address: string, maintainer: string }} the URL of the folder with the release, without a slash at its
 * end, and a name with an address, as in "Ada Lovelace <ada@example.org>". Either is "" if it is not known.
 */
export function releaser(environment = process.env) {
  const file = resolve(import.meta.dirname, "release.json");
  const given = environment.NOUND_ADDRESS ?? JSON.parse(readFileSync(file, "utf8")).address;
  const maintainer = environment.NOUND_MAINTAINER ?? "";
  if (given !== "" && !/^https?:\/\/[^\s"'<>\\|&$]+$/.test(given))
    fail(`${JSON.stringify(given)} is no address of a release: give a URL, such as https://example.org/nound/0.2.0`);
  if (maintainer !== "" && !/^[^<>\n"'\\|&$]+ <[^<>\s@]+@[^<>\s]+>$/.test(maintainer))
    fail('NOUND_MAINTAINER is a name and an address: "Ada Lovelace <ada@example.org>"');
  return { address: given.replace(/\/+$/, ""), maintainer };
}
