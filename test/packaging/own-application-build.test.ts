/**
 * An application as `nound new` makes it becomes a bundle: types, package and bundler fit together. It compiles
 * nothing, so that it runs with each change; test/workbench has the rest.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { findTypeErrors } from "../../cli/dev/types.mjs";
import { applicationOptions } from "../../tools/bundle/application.mjs";
import { Project } from "../harness/project.ts";

/** @returns the bytes of a project's bundle, once its types are right. */
async function bundleSize(folder: string): Promise<number> {
  expect(await findTypeErrors(folder, new AbortController().signal)).toBeUndefined();
  const bundle = join(folder, "build/my-device.js");
  await build(applicationOptions(join(folder, "src/main.ts"), bundle, { root: folder }));
  return statSync(bundle).size;
}

test("a new project is bundled, and so is one with another noun that fetches over https", async () => {
  const project = await Project.create();
  const small = await bundleSize(project.folder);
  project.write(
    "src/weather.ts",
    `import { defineNoun, fetch } from "nound";
     export const weather = defineNoun({
       shape: { degrees: { type: "number", readOnly: true } },
       get: async () => ({ degrees: Number(await (await fetch("https://weather.example/")).text()) }),
     });`,
  );
  project.edit("src/main.ts", (text) =>
    text
      .replace("import { led }", 'import { weather } from "./weather.ts";\nimport { led }')
      .replace('led: led("GPIO17")', 'led: led("GPIO17"), weather')
      .replace("serve({", 'serve({\n  reach: { connect: ["https://weather.example"] },'),
  );
  expect(project.read("src/main.ts")).toContain("reach:");
  expect(project.read("src/main.ts")).toContain("), weather");
  expect(await bundleSize(project.folder)).toBeGreaterThan(small);
});
