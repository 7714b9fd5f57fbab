/** Types are checked before anything is made of a project. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nound, Project } from "../harness/project.ts";

test("`npx nound build` refuses a type that is wrong, and a misspelt word of a shape", async () => {
  const [command, product] = ["build", "build/host/my-device"] as const;
  const project = await Project.create();
  const right = project.read("src/led.ts");
  project.write("src/led.ts", right.replace("setValue(state.led)", 'setValue("on")'));
  expect(nound(project.folder, command)).toMatchObject({
    status: 1,
    printed: expect.stringContaining("src/led.ts("),
  });
  project.write("src/led.ts", right.replace("values: [0, 1]", "values: [0, 1], readonly: true"));
  expect(nound(project.folder, command).printed).toContain('A key of the type \\"choice\\" has no \\"readonly\\".');
  expect(existsSync(join(project.folder, product))).toBe(false);
  project.write("src/led.ts", right);
  expect(nound(project.folder, command).status).toBe(0);
  expect(existsSync(join(project.folder, product))).toBe(true);
});
