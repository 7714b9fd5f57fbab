/** `nound dev`: what is changed is served within a second, and what is wrong is not served. */
import { expect, test } from "vitest";
import { eventually } from "../e2e/harness/eventually.ts";
import { Project, RunningCommand } from "./harness/project.ts";

/** ms from a save to the first answer of the new version: what the issue promises. */
const promised = 1_000;

async function developing(): Promise<{ project: Project; dev: RunningCommand }> {
  const project = await Project.create();
  const dev = new RunningCommand(project.folder, "npm", "run", "dev");
  await dev.until("the project is served", () => project.get("/led"));
  return { project, dev };
}

/** Makes the noun answer under another name, and waits for the answer. @returns the ms it took. */
async function renamed(project: Project, name: string): Promise<number> {
  const since = performance.now();
  project.edit("src/main.ts", (text) => text.replace(/[a-z0-9]+: led\(/, `${name}: led(`));
  await eventually(`/${name} answers`, () => project.get(`/${name}`));
  return performance.now() - since;
}

test("a change is served within a second, on the same port", async () => {
  const { project } = await developing();
  const times: number[] = [];
  for (const name of ["lamp1", "lamp2", "lamp3", "lamp4", "lamp5"]) times.push(await renamed(project, name));
  const middle = times.sort((a, b) => a - b)[2] ?? Number.NaN;
  console.log(`A change was served after ${times.map(Math.round).join(", ")} ms.`);
  expect(middle).toBeLessThan(promised);
});

test.each([
  [
    "a type that is wrong",
    (text: string) => `${text}const wrong: number = "text";\nvoid wrong;\n`,
    "src/main.ts(12,7)",
  ],
  ["a syntax error", (text: string) => `${text}let = ;\n`, "src/main.ts:12"],
  ["an import that is not there", (text: string) => `import "./zqx.ts";\n${text}`, "zqx"],
])("%s is shown, and the version before serves on until it is mended", async (_, spoil, place) => {
  const { project, dev } = await developing();
  const right = project.read("src/main.ts");
  project.write("src/main.ts", spoil(right));
  await eventually("the mistake is shown", () => dev.printed.includes(place) && dev.printed.includes("not served"));
  expect(await project.get("/led")).toBe('{"led":0}');
  project.write("src/main.ts", right);
  await renamed(project, "lamp");
});

test("an application that ends at its start is said to, and the next change is served", async () => {
  const { project, dev } = await developing();
  const right = project.read("src/main.ts");
  project.write("src/main.ts", `${right}throw new Error("at the start");\n`);
  await eventually("the end is told", () => dev.printed.includes("the application ended with status 70"));
  expect(dev.printed).toContain("src/main.ts:12");
  project.write("src/main.ts", right);
  await eventually("it is served again", () => project.get("/led"));
});

test("a file in a new folder is noticed, too", async () => {
  const { project } = await developing();
  const { mkdirSync } = await import("node:fs");
  mkdirSync(`${project.folder}/src/more`);
  project.write("src/more/noun.ts", 'export const noun = "first";\n');
  project.edit("src/main.ts", (text) =>
    `import { noun } from "./more/noun.ts";\n${text}`.replace("{ led: led(", "{ [noun]: led("),
  );
  await eventually("/first answers", () => project.get("/first"));
  project.write("src/more/noun.ts", 'export const noun = "second";\n');
  await eventually("/second answers", () => project.get("/second"));
});

test("Ctrl-C ends everything it has started", async () => {
  const { project, dev } = await developing();
  expect(dev.processes.length).toBeGreaterThan(1);
  await dev.interrupt();
  await eventually("no process is left", () => dev.processes.length === 0);
  expect(await project.get("/led")).toBeUndefined();
});
