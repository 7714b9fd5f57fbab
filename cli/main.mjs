#!/usr/bin/env node
/**
 * The tool of who writes an application: `nound new | dev | test | build | bundle | package`.
 *
 * It runs on the development machine, out of the npm package or a clone of nound.
 */

import { fail } from "../cmake/configuration.mjs";

const help = `Usage: npx nound new [FOLDER]         make a small project: a noun, its test, its scripts;
                                       here, or in a clone of nound in FOLDER
       npx nound dev [ARGUMENT...]     serve it here on simulated hardware, and again after each change
       npx nound test [ARGUMENT...]    check its types and run its tests
       npx nound build [--target TARGET]... [--debug]
                                       leave build/TARGET/NAME, a static binary with it inside;
                                       with --debug, stack traces name its TypeScript lines
       npx nound bundle                leave build/NAME.js, for \`nound --run\` on a device
       npx nound package --for openwrt|systemd|buildroot [--target TARGET]
                                       leave build/package/SYSTEM, the binary with an init script or a
                                       unit, a user, permissions and configuration

All but the first are run in the project's folder. Arguments of dev go to the application, those of test to vitest.
docs/tutorial.md leads through all of them.
`;

/** The commands, each in a module that is loaded when it is wanted. */
const commands = {
  new: async () => (await import("./new.mjs")).createProject,
  dev: async () => (await import("./dev.mjs")).serveWhileDeveloping,
  test: async () => (await import("./test.mjs")).testProject,
  build: async () => (await import("./build.mjs")).buildProject,
  bundle: async () => (await import("./bundle.mjs")).bundleProject,
  package: async () => (await import("./package.mjs")).packageProject,
};

const [command = "--help", ...args] = process.argv.slice(2);
if (command === "--help" || command === "-h") {
  process.stdout.write(help);
} else if (!Object.hasOwn(commands, command)) {
  fail(`there is no command ${command}; there are: ${Object.keys(commands).join(", ")}`);
} else {
  const run = await commands[command]();
  await run(args);
}
