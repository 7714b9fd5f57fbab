/** Checks the types of a project beside other work. */

import { spawn } from "node:child_process";
import { typeCheck } from "../test.mjs";

/**
 * @param {string} folder of the project.
 * @param {AbortSignal} signal ends the check.
 * @returns {Promise<string | undefined>} the mistakes in the types; undefined for none.
 */
export function findTypeErrors(folder, signal) {
  const [command, ...args] = typeCheck(folder);
  const child = spawn(command, args, { cwd: folder, signal, stdio: ["ignore", "pipe", "inherit"] });
  let report = "";
  child.stdout.on("data", (bytes) => {
    report += bytes;
  });
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve(`the types cannot be checked: ${message}\n`));
    child.once("close", (status) => resolve(status === 0 ? undefined : report));
  });
}

/** Checks the types of a project. Prints mistakes and ends the program. */
export async function requireRightTypes(folder) {
  const report = await findTypeErrors(folder, new AbortController().signal);
  if (report === undefined) return;
  process.stderr.write(report);
  process.exit(1);
}
