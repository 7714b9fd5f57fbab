/**
 * `nound package --for openwrt|systemd|buildroot [--target TARGET]`: the application's binary as a service, with the
 * files that a system needs.
 *
 * The files come from nound's own packages, so that both behave the same.
 */

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { fail } from "../tools/build/configuration.mjs";
import { buildTarget } from "./build.mjs";
import { buildrootFiles } from "./package/buildroot.mjs";
import { problemOf } from "./package/names.mjs";
import { openwrtFiles } from "./package/openwrt.mjs";
import { systemdFiles } from "./package/systemd.mjs";
import { currentProject } from "./project.mjs";

/** Each system: its files, the binary's place among them, and what a person does next. */
const systems = {
  systemd: {
    files: ({ name }) => systemdFiles(name),
    binary: ({ name }) => `usr/bin/${name}`,
    next: ({ name }) =>
      `copy all of it to / on the device, and run there: systemd-sysusers && systemctl daemon-reload && ` +
      `systemctl enable --now ${name}`,
  },
  openwrt: {
    files: openwrtFiles,
    binary: ({ name }) => `files/usr/sbin/${name}`,
    next: ({ name }) =>
      `it is a package: put it into a feed as ${name}/, or copy the contents of files/ to / on the device`,
  },
  buildroot: {
    files: buildrootFiles,
    binary: ({ name }) => `package/${name}/files/usr/bin/${name}`,
    next: () => "it is a tree for BR2_EXTERNAL",
  },
};

function readArguments(args) {
  const usage = "the command is: npx nound package --for openwrt|systemd|buildroot [--target TARGET]";
  try {
    const options = { for: { type: "string" }, target: { type: "string", default: "host" } };
    const { for: system, target } = parseArgs({ args, options }).values;
    return Object.hasOwn(systems, system ?? "") ? { system, target } : fail(usage);
  } catch {
    return fail(usage);
  }
}

/** @param {readonly string[]} args the command line after `package`. */
export async function packageProject(args) {
  const { system, target } = readArguments(args);
  const project = currentProject();
  const { version = "0.0.0" } = JSON.parse(readFileSync(join(project.folder, "package.json"), "utf8"));
  const described = { name: project.name, version };
  const problem = problemOf(described);
  if (problem !== undefined) fail(problem);
  const folder = join(project.folder, "build/package", system);
  const binary = await buildTarget(project, target, false);
  rmSync(folder, { recursive: true, force: true });
  const write = (path, act) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    act(join(folder, path));
  };
  for (const [path, text] of Object.entries(systems[system].files(described)))
    write(path, (file) => writeFileSync(file, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 }));
  write(systems[system].binary(described), (file) => copyFileSync(binary, file));
  console.log(`${relative(project.folder, folder)}: ${systems[system].next(described)}`);
}
