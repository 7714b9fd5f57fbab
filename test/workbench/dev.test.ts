/** `nound dev`: what is changed is served within a second, and what is wrong is not served. */
import { expect, test } from "vitest";
import { eventually } from "../e2e/harness/eventually.ts";
import { expectMedian } from "../e2e/harness/waiting-time.ts";
import { Project, RunningCommand } from "./harness/project.ts";

/** A project that is being developed. */
interface Developing {
  readonly project: Project;
  readonly dev: RunningCommand;
}

async function developing(): Promise<Developing> {
  const project = await Project.create();
  const dev = new RunningCommand(project.folder, "npm", "run", "dev");
  await dev.until("the project is served", () => project.get("/led"));
  return { project, dev };
}

/** Makes the noun answer under another name, and waits for the answer. @returns the ms it took. */
async function renamed({ project, dev }: Developing, name: string): Promise<number> {
  const since = performance.now();
  project.edit("src/main.ts", (text) => text.replace(/[a-z0-9]+: led\(/, `${name}: led(`));
  await dev.until(`/${name} answers`, () => project.get(`/${name}`));
  return performance.now() - since;
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

test("a reload keeps simulated inputs, and the states of nouns whose name and shape are the same", async () => {
  const { project, dev } = await developing();
  project.edit("src/main.ts", (text) =>
    text
      .replace("import { serve }", "import { gpioInputNoun, serve, switchNoun }")
      .replace(
        'led: led("GPIO17")',
        'led: led("GPIO17"), door: gpioInputNoun({ line: "GPIO27", key: "open" }), mode: switchNoun({ key: "mode" })',
      ),
  );
  // It is said once the states are as they were. Until then, what a client sets may be set back.
  await dev.until("the door is served", () => occurrences(dev.printed, "serving it after") === 2);
  await project.put("/led", '{"led":1}');
  await project.put("/mode", '{"mode":1}');
  await project.put("/simulated.gpio27", '{"open":1}');
  project.edit("src/main.ts", (text) =>
    text.replace('switchNoun({ key: "mode" })', 'switchNoun({ key: "mode", off: "a", on: "b" })'),
  );
  await dev.until("the mode has another shape", async () => (await project.get("/mode")) === '{"mode":"a"}');
  await dev.until("the led is as it was", async () => (await project.get("/led")) === '{"led":1}');
  await dev.until("the door is as it was", async () => (await project.get("/door")) === '{"open":1}');
  expect(dev.printed).not.toContain(".well-known");
});

test("a change is served on the same port, within a second (judged by test:time)", async () => {
  const started = await developing();
  const times: number[] = [];
  for (const name of ["lamp1", "lamp2", "lamp3", "lamp4", "lamp5"]) times.push(await renamed(started, name));
  expectMedian("from a save to the first answer of the new version", times, 1_000);
});

test.each([
  [
    "a type that is wrong",
    (text: string) => `${text}const wrong: number = "text";\nvoid wrong;\n`,
    "src/main.ts(12,7)",
  ],
  ["a syntax error", (text: string) => `${text}let = ;\n`, "src/main.ts:12"],
  ["an import that is not there", (text: string) => `import "./zqx.ts";\n${text}`, "Could not resolve"],
])("%s is shown, and the previous version runs until it is corrected, which is said", async (_, spoil, place) => {
  const { project, dev } = await developing();
  const right = project.read("src/main.ts");
  project.write("src/main.ts", spoil(right));
  await dev.until("the mistake is shown", () => dev.printed.includes(place) && dev.printed.includes("not served"));
  expect(await project.get("/led")).toBe('{"led":0}');
  expect(occurrences(dev.printed, place)).toBe(1);
  project.write("src/main.ts", right);
  await dev.until("the correction is said", () => dev.printed.includes("corrected; the version that runs is this one"));
  await renamed({ project, dev }, "lamp");
});

test("an application that ends at its start is said to, and the next change is served", async () => {
  const { project, dev } = await developing();
  const right = project.read("src/main.ts");
  project.write("src/main.ts", `${right}throw new Error("at the start");\n`);
  await dev.until("the end is told", () => dev.printed.includes("the application ended with status 70"));
  expect(dev.printed).toContain("src/main.ts:12");
  project.write("src/main.ts", right);
  await dev.until("it is served again", () => project.get("/led"));
  await dev.until("the correction is said", () => dev.printed.includes("corrected; serving it after"));
  expect(occurrences(dev.printed, "at the start")).toBe(1);
});

test("a file in a new folder is noticed, too", async () => {
  const { project, dev } = await developing();
  const { mkdirSync } = await import("node:fs");
  mkdirSync(`${project.folder}/src/more`);
  project.write("src/more/noun.ts", 'export const noun = "first";\n');
  project.edit("src/main.ts", (text) =>
    `import { noun } from "./more/noun.ts";\n${text}`.replace("{ led: led(", "{ [noun]: led("),
  );
  await dev.until("/first answers", () => project.get("/first"));
  project.write("src/more/noun.ts", 'export const noun = "second";\n');
  await dev.until("/second answers", () => project.get("/second"));
});

test("Ctrl-C ends everything it has started", async () => {
  const { project, dev } = await developing();
  expect(dev.processes.length).toBeGreaterThan(1);
  await dev.interrupt();
  await eventually("no process is left", () => dev.processes.length === 0);
  expect(await project.get("/led")).toBeUndefined();
});
