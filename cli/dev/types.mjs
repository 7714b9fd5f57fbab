/** Checks the types of a project beside other work. */

import { spawn } from "node:child_process";
import { typeCheck } from "../test.mjs";

/**
 * @param {string} folder of the project.
 * @param {AbortSignal} signal ends the check.
 * @returns {Promise<boolean>} whether the types are right. What is wrong is printed.
 */
export function checkTypes(folder, signal) {
  const [command, ...args] = typeCheck(folder);
  const child = spawn(command, args, { cwd: folder, signal, stdio: ["ignore", "pipe", "inherit"] });
  let report = "";
  child.stdout.on("data", (bytes) => {
    report += bytes;
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (status) => {
      if (status !== 0) process.stderr.write(report);
      resolve(status === 0);
    });
  });
}

/** Checks the types of a project. Ends the program when they are wrong; what is wrong has been printed then. */
export async function requireRightTypes(folder) {
  if (!(await checkTypes(folder, new AbortController().signal))) process.exit(1);
}
