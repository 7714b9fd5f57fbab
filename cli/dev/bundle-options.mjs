/** How `nound dev` bundles the application of a project. */

import { applicationOptions } from "../../tools/bundle/application.mjs";
import { tracedBundle } from "../../tools/bundle/stack-trace.mjs";

/** @returns esbuild's options for a project. Its stack traces name the lines of the source files. */
export function projectBundle({ folder, entry }, bundle, write) {
  const options = applicationOptions(entry, bundle, { root: folder });
  return { ...options, plugins: [...options.plugins, tracedBundle(write)] };
}
