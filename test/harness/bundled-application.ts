/** Applications of "nound" that run from a file: bundled as for a device, started with `nound --run`. */
import { resolve } from "node:path";
import { build } from "esbuild";
import { applicationOptions } from "../../tools/bundle/application.mjs";
import { freeAddress } from "./address.ts";
import { NoundProcess, temporaryPath } from "./nound-process.ts";
import { top } from "./top.ts";

/** @param entry a path from the repository's top. @returns the path of the bundle. */
export async function bundleApplication(entry: string): Promise<string> {
  const bundle = temporaryPath("application.js");
  await build({ ...applicationOptions(resolve(top, entry), bundle, { root: top }), alias: { nound: "./ts/nound.ts" } });
  return bundle;
}

/** Starts a bundled application on a free loopback port, the first of its arguments, and waits until it listens. */
export async function startBundle(bundle: string, ...args: readonly string[]): Promise<NoundProcess> {
  const address = await freeAddress();
  const started = new NoundProcess(["--run", bundle, "--", address, ...args], address);
  await started.listening();
  return started;
}
