/**
 * `nound build [--target TARGET]... [--debug]`: a static binary with the application inside, for each target.
 *
 * The application is bundled and compiled to bytecode, and put into a program that is linked already: esbuild and a copy of a file.
 */

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { applicationOptions } from "../cmake/bundle/application.mjs";
import { tracedBundle } from "../cmake/bundle/stack-trace.mjs";
import { fail } from "../cmake/configuration.mjs";
import { requireRightTypes } from "./dev/types.mjs";
import { linkedPrograms } from "./linked-programs.mjs";
import { isBigEndian, putPayload } from "./payload/elf-slot.mjs";
import { makePayload } from "./payload/payload.mjs";
import { currentProject } from "./project.mjs";

/** Makes the one script of the application. The text of a script is parsed at each start, so what a parser skips is left out of it. */
async function makeBundle({ folder, entry }, bundle, { isText, isDebug }) {
  const options = applicationOptions(entry, bundle, { root: folder, minify: isText });
  const plugins = isDebug ? [...options.plugins, tracedBundle(writeFileSync)] : options.plugins;
  await build({ ...options, plugins }).catch(() => process.exit(1)); // esbuild has said why
}

/** @returns {Buffer} the bytecode of a bundle. */
function compile(compiler, bundle) {
  const { status, stderr, error } = spawnSync(compiler, [bundle], { encoding: "utf8" });
  if (status !== 0) fail(`${basename(bundle)} could not be compiled: ${error?.message ?? stderr.trim()}`);
  const bytecode = readFileSync(`${bundle}.bytecode`);
  rmSync(`${bundle}.bytecode`);
  return bytecode;
}

/** @returns {Promise<string>} the path of the binary. */
export async function buildTarget(project, target, isDebug) {
  const { runtime, compiler } = (await linkedPrograms()).programsFor(target);
  const output = join(project.folder, "build", target);
  mkdirSync(output, { recursive: true });
  const bundle = join(output, `${project.name}.js`);
  const program = readFileSync(runtime);
  const isText = compiler === undefined || isBigEndian(program);
  await makeBundle(project, bundle, { isText, isDebug });
  const bytes = isText ? readFileSync(bundle) : compile(compiler, bundle);
  const payload = makePayload(isText ? "text" : "bytecode", [{ name: basename(bundle), bytes }]);
  const binary = join(output, project.name);
  rmSync(binary, { force: true }); // it may be running
  writeFileSync(binary, putPayload(program, payload), { mode: 0o755 });
  return binary;
}

/** Reads the command line. Ends the program with a sentence when there is something wrong with it. */
function readArguments(args) {
  try {
    const options = { target: { type: "string", multiple: true, default: ["host"] }, debug: { type: "boolean" } };
    return parseArgs({ args, options }).values;
  } catch {
    return fail("what can be said is: npx nound build [--target TARGET]... [--debug]");
  }
}

/** @param {readonly string[]} args the command line after `build`. */
export async function buildProject(args) {
  const { target: targets, debug = false } = readArguments(args);
  const project = currentProject();
  await requireRightTypes(project.folder);
  for (const target of targets) {
    const binary = await buildTarget(project, target, debug);
    console.log(`${relative(project.folder, binary)}: ${Math.ceil(statSync(binary).size / 1000)} KB`);
  }
}
