/** `nound bundle`: one script of the application, for `nound --run` on a device that has the program nound. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";
import { applicationOptions } from "../tools/bundle/application.mjs";
import { tracedBundle } from "../tools/bundle/stack-trace.mjs";
import { requireRightTypes } from "./dev/types.mjs";
import { currentProject } from "./project.mjs";

/** esbuild's options for a project. Its stack traces name the lines of the source files. */
export function projectBundle({ folder, entry }, bundle, write) {
  const options = applicationOptions(entry, bundle, { root: folder });
  return { ...options, plugins: [...options.plugins, tracedBundle(write)] };
}

export async function bundleProject() {
  const project = currentProject();
  await requireRightTypes(project.folder);
  const bundle = join(project.folder, "build", `${project.name}.js`);
  mkdirSync(join(project.folder, "build"), { recursive: true });
  await build(projectBundle(project, bundle, writeFileSync)).catch(() => process.exit(1)); // esbuild has said why
  console.log(
    `${relative(project.folder, bundle)}: copy it to a device and run it with: nound --run ${project.name}.js`,
  );
}
