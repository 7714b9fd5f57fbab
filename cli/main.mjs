#!/usr/bin/env node
/**
 * The command-line tool for authors: `nound new | dev | test | build | help | migrate | package | modbus | convert`.
 *
 * It runs on the development machine, from the npm package or from a clone of nound.
 */

import "../tools/build/node-version.mjs";
import { fail } from "../tools/build/configuration.mjs";

const help = `Usage: npx nound new [FOLDER]         make a project: a noun, its test and its scripts,
                                       in this folder; in a clone of nound, give another FOLDER
       npx nound dev [ARGUMENT...]     run the application on simulated hardware; run it again
                                       after each change
       npx nound test [ARGUMENT...]    check the types and run the tests
       npx nound build [--target TARGET]... [--debug]
                                       make build/TARGET/NAME, a static binary of the application;
                                       with --debug, stack traces name TypeScript lines
       npx nound help NAME             explain a key, a kind or a limit of a configuration, or a name
                                       of the API
       npx nound migrate FILE          write a configuration of an earlier version with today's words;
                                       FILE.old keeps the former text
       npx nound package --for openwrt|systemd|buildroot [--target TARGET]
                                       make build/package/SYSTEM: the binary, an init script or a
                                       unit, a user, permissions and a configuration
       npx nound modbus FILE [DEVICE or SERVER:PORT] [UNIT]
                                       make nouns of a map of a Modbus unit: a template of
                                       Wiren Board, or a map in the format MBMap 2
       npx nound convert FILE          make a configuration of one of MQTT IO; what it cannot take
                                       over is named on standard error

Run all commands except \`new\`, \`help\`, \`migrate\`, \`modbus\` and \`convert\` in the project's folder.
The arguments of \`dev\` go to the application, those of \`test\` to vitest. docs/tutorial.md shows how to use the
commands.
`;

/** The commands. The module of each is loaded when the command is used. */
const commands = {
  new: async () => (await import("./new.mjs")).createProject,
  dev: async () => (await import("./dev.mjs")).serveWhileDeveloping,
  test: async () => (await import("./test.mjs")).testProject,
  build: async () => (await import("./build.mjs")).buildProject,
  help: async () => (await import("./help.mjs")).printHelp,
  migrate: async () => (await import("./migrate.mjs")).migrateFile,
  package: async () => (await import("./package.mjs")).packageProject,
  convert: async () => (await import("./convert.mjs")).convertConfiguration,
  modbus: async () => (await import("./modbus.mjs")).convertModbusMap,
};

const [command = "--help", ...args] = process.argv.slice(2);
const isHelp = (word) => word === "--help" || word === "-h";
if (
  isHelp(command) ||
  (command === "help" && args.length === 0) ||
  (Object.hasOwn(commands, command) && isHelp(args[0]))
) {
  process.stdout.write(help);
} else if (!Object.hasOwn(commands, command)) {
  fail(`unknown command ${command}; the commands are: ${Object.keys(commands).join(", ")}`);
} else {
  const run = await commands[command]();
  await run(args);
}
