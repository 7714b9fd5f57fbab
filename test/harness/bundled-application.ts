/** Applications of "nound", bundled as for a device, that run from a file. */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { putPayload } from "../../cli/payload/elf-slot.mjs";
import { makePayload } from "../../cli/payload/payload.mjs";
import { applicationOptions } from "../../tools/bundle/application.mjs";
import { freeAddress } from "./address.ts";
import { commandOf } from "./environment.ts";
import { NoundProcess, temporaryPath } from "./nound-process.ts";
import { top } from "./top.ts";

/** @param entry a path from the repository's top. @returns the path of the bundle. */
export async function bundleApplication(entry: string): Promise<string> {
  const bundle = temporaryPath("application.js");
  await build({ ...applicationOptions(resolve(top, entry), bundle, { root: top }), alias: { nound: "./ts/nound.ts" } });
  return bundle;
}

/** Puts a bundle into a program, as `npx nound build` does where it makes no bytecode. @returns the program's path. */
export function builtProgram(bundle: string): string {
  const program = temporaryPath("program");
  const modules = [{ name: "application.js", bytes: readFileSync(bundle) }];
  const runtime = readFileSync(commandOf("nound-runtime").at(-1) ?? "");
  writeFileSync(program, putPayload(runtime, makePayload("text", modules)), { mode: 0o755 });
  return program;
}

/** Starts a bundled application on a free loopback port, the first of its arguments, and waits until it listens. */
export async function startBundle(bundle: string, ...args: readonly string[]): Promise<NoundProcess> {
  const address = await freeAddress();
  const started = new NoundProcess([address, ...args], address, { application: bundle });
  await started.listening();
  return started;
}
