/**
 * An application as `nound new` makes it becomes a bundle: types, package and bundler fit together. It compiles
 * nothing, so that it runs with each change; test/workbench has the rest.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nound, Project } from "../harness/project.ts";

test("a new project is bundled, and so is one with another noun that fetches over https", async () => {
  const project = await Project.create();
  const size = (): number => statSync(join(project.folder, "build/my-device.js")).size;
  expect(nound(project.folder, "bundle")).toMatchObject({ status: 0 });
  const small = size();
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
  expect(nound(project.folder, "bundle")).toMatchObject({ status: 0 });
  expect(size()).toBeGreaterThan(small);
});
