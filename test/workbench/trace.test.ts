/** Errors of an application name the line that a person wrote, wherever it runs for debugging. */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { Project, RunningCommand } from "../harness/project.ts";

/** Throws at its line 13, below what is not in any bundle. */
const throwingNoun = `/** A noun that fails. */
import { defineNoun, type Noun } from "nound";

interface Reading {
  readonly value: number;
}

export function broken(): Noun {
  return defineNoun({
    shape: { value: { type: "number" } },
    get: (): Reading => {
      const name = "sensor";
      throw new Error(\`the \${name} is not there\`);
    },
  });
}
`;
const place = "src/noun.ts:13";

let project: Project;

beforeAll(async () => {
  project = await Project.create();
  project.write("src/noun.ts", throwingNoun);
  project.edit(
    "src/main.ts",
    (text) => `import { broken } from "./noun.ts";\n${text}server.register("broken", broken());\n`,
  );
});

/** Asks the noun that fails. @returns what the program printed until the error was in it. */
async function errorPrinted(running: RunningCommand): Promise<string> {
  await running.until("the project is served", () => project.get("/led"));
  await project.get("/broken");
  await running.until("the error is logged", () => running.printed.includes("the sensor is not there"));
  return running.printed;
}

test("in `npm run dev`", async () => {
  expect(await errorPrinted(new RunningCommand(project.folder, "npm", "run", "dev"))).toContain(place);
});

test("in a binary built with --debug, while one built without is smaller and has no path of the sources", async () => {
  const binary = join(project.folder, "build/host/my-device");
  project.npm("run", "build", "--", "--debug");
  const debugSize = statSync(binary).size;
  expect(await errorPrinted(new RunningCommand(project.folder, binary, "--simulate", "--debug"))).toContain(place);

  project.npm("run", "build");
  expect(statSync(binary).size).toBeLessThan(debugSize);
  expect(spawnSync("grep", ["-c", "src/noun.ts", binary], { encoding: "utf8" }).stdout.trim()).toBe("0");
});
