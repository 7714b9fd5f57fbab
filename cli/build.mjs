/**
 * `nound build [--target TARGET]... [--debug]`: a static binary with the application inside, for each target.
 *
 * The application is bundled, compiled to bytecode, and put into a copy of a linked program.
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { fail } from "../tools/build/configuration.mjs";
import { applicationOptions } from "../tools/bundle/application.mjs";
import { withDeferred } from "../tools/bundle/deferred.mjs";
import { leanBytecode } from "../tools/bundle/lean-bytecode.mjs";
import { tracedBundle } from "../tools/bundle/stack-trace.mjs";
import { requireRightTypes } from "./dev/types.mjs";
import { linkedPrograms } from "./linked-programs.mjs";
import { isBigEndian, putPayload } from "./payload/elf-slot.mjs";
import { makePayload } from "./payload/payload.mjs";
import { currentProject } from "./project.mjs";

/**
 * Makes the script of the application, and its parts in a folder beside it. The text of a script is parsed at each
 * start, so comments and spaces are left out. For debugging, everything is in one script, because its table of lines
 * knows one file.
 */
async function makeBundle({ folder, entry }, bundle, { isText, isDebug }) {
  const options = applicationOptions(entry, bundle, { root: folder, minify: isText });
  const chosen = isDebug
    ? { ...options, plugins: [...options.plugins, tracedBundle(writeFileSync)] }
    : await withDeferred(options);
  await build(chosen).catch(() => process.exit(1)); // esbuild has said why
}

/** @returns {string[]} the files of a bundle: the script, then its parts by their names. */
function modulesOf(bundle) {
  const parts = partsOf(bundle);
  const names = existsSync(parts) ? readdirSync(parts).filter((name) => name.endsWith(".js")) : [];
  return [bundle, ...names.sort().map((name) => join(parts, name))];
}

/** @returns {string} the folder of a bundle's parts. */
function partsOf(bundle) {
  return bundle.replace(/\.js$/, ".parts");
}

/**
 * For debugging, the columns stay, which the table of lines has. Direct `eval` needs the variables' names.
 *
 * @returns {Map<string, Buffer>} the bytecode of each file of a bundle.
 */
function compile(compiler, bundle, files, isDebug) {
  const { status, stderr, error } = spawnSync(compiler, [bundle, ...(files.length > 1 ? [partsOf(bundle)] : [])], {
    encoding: "utf8",
  });
  if (status !== 0) fail(`${basename(bundle)} could not be compiled: ${error?.message ?? stderr.trim()}`);
  return new Map(
    files.map((file) => {
      const bytecode = readFileSync(`${file}.bytecode`);
      rmSync(`${file}.bytecode`);
      const isWhole = isDebug || /\beval\b/.test(readFileSync(file, "utf8"));
      return [file, isWhole ? bytecode : leanBytecode(bytecode)];
    }),
  );
}

/** @returns {Promise<string>} the path of the binary. */
export async function buildTarget(project, target, isDebug) {
  const { runtime, compiler } = (await linkedPrograms()).programsFor(target);
  const output = join(project.folder, "build", target);
  mkdirSync(output, { recursive: true });
  const bundle = join(output, `${project.name}.js`);
  rmSync(partsOf(bundle), { recursive: true, force: true });
  const program = readFileSync(runtime);
  const isText = compiler === undefined || isBigEndian(program);
  await makeBundle(project, bundle, { isText, isDebug });
  const files = modulesOf(bundle);
  const bytecode = isText ? undefined : compile(compiler, bundle, files, isDebug);
  const modules = files.map((file) => ({
    name: relative(output, file),
    bytes: bytecode?.get(file) ?? readFileSync(file),
  }));
  const binary = join(output, project.name);
  rmSync(binary, { force: true }); // it may be running
  writeFileSync(binary, putPayload(program, makePayload(isText ? "text" : "bytecode", modules)), { mode: 0o755 });
  return binary;
}

/** Reads the command line. Ends the program with a sentence if it is wrong. */
function readArguments(args) {
  try {
    const options = { target: { type: "string", multiple: true, default: ["host"] }, debug: { type: "boolean" } };
    return parseArgs({ args, options }).values;
  } catch {
    return fail("the command is: npx nound build [--target TARGET]... [--debug]");
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
