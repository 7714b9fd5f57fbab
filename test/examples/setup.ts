/** Makes what the examples import, as `npm ci` does, from the source of the moment. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

export function setup(): void {
  execFileSync(process.execPath, [resolve(import.meta.dirname, "../../tools/build/package.mjs")], { stdio: "inherit" });
}
