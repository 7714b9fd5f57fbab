/** Where the repository is: for the modules of the tests, and for the programs that the build bundles of them. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

function topAbove(folder: string): string {
  return existsSync(join(folder, "package-lock.json")) ? folder : topAbove(dirname(folder));
}

/** The top folder of the repository. */
export const top = topAbove(import.meta.dirname);
