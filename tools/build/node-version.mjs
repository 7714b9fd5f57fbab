/**
 * Ends with a sentence for people if Node is too old for the tools. A program imports this before all else: modules run
 * in the order of their imports, and an old Node fails in the next ones with the stack of a mistake that is not theirs.
 */

/** The oldest Node that works; `engines` in package.json says the same. */
const oldest = "20.19";

const [major, minor] = process.versions.node.split(".").map(Number);
const [oldestMajor, oldestMinor] = oldest.split(".").map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  console.error(
    `nound: this is Node ${process.versions.node}, and ${oldest} is the oldest that works. ` +
      "Debian 12 has an older one: install Node 20 or later from nodejs.org, or with a version manager such as nvm.",
  );
  process.exit(1);
}
