/** `nound dev`: what is changed is served within a second, and what is wrong is not served. */
import { mkdirSync, rmSync } from "node:fs";
import type { RequestOptions } from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freeAddress, portOf } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { ask } from "../harness/https-client.ts";
import { Project, RunningCommand } from "../harness/project.ts";
import { expectMedian } from "../harness/waiting-time.ts";

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

/** A noun that needs 700 ms to be read, as a thermometer does. */
const slowLed = `import { defineNoun, type Noun } from "nound";

export function led(_line: string): Noun {
  let value: 0 | 1 = 0;
  return defineNoun({
    shape: { led: { type: "choice", values: [0, 1] } },
    default: { led: 0 },
    get: async () => {
      await new Promise<void>((resolve) => setTimeout(resolve, 700));
      return { led: value };
    },
    set: (state) => {
      value = state.led;
    },
  });
}
`;

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
    text.replace('switchNoun({ key: "mode" })', 'switchNoun({ key: "mode", values: ["a", "b"] })'),
  );
  await dev.until("the mode has another shape", async () => (await project.get("/mode")) === '{"mode":"a"}');
  await dev.until("the led is as it was", async () => (await project.get("/led")) === '{"led":1}');
  await dev.until("the door is as it was", async () => (await project.get("/door")) === '{"open":1}');
  expect(dev.printed).not.toContain(".well-known");
});

test("an application that listens on https keeps the states, too", async () => {
  const { project, dev } = await developing();
  const sealed = (more: RequestOptions, body?: string) =>
    ask({ port: portOf(project.address), path: "/led", rejectUnauthorized: false, ...more }, body);
  const https = `https: { stateDirectory: ${JSON.stringify(join(project.folder, "states"))} }`;
  project.edit("src/main.ts", (text) => text.replace(/listen: "(.*)"/, `listen: "https://$1", ${https}`));
  await dev.until("it is served on https", () => occurrences(dev.printed, "serving it after") === 2);
  const headers = { "content-type": "application/json" };
  expect(await sealed({ method: "PUT", headers }, '{"led":1}')).toMatchObject({ status: 200 });
  project.edit("src/main.ts", (text) => text.replace('led: led("GPIO17")', 'led: led("GPIO17"), lamp: led("GPIO18")'));
  await dev.until("the next version is served", () => occurrences(dev.printed, "serving it after") === 3);
  expect(await sealed({})).toMatchObject({ status: 200, body: '{"led":1}' });
  expect(dev.printed).not.toContain(".well-known");
});

test("the states are kept where the next version takes its time to start, and a noun its time to answer", async () => {
  const { project, dev } = await developing();
  project.write("src/led.ts", slowLed);
  await dev.until("the slow version is served", () => occurrences(dev.printed, "serving it after") === 2);
  await project.put("/led", '{"led":1}');
  // The start of an application may use the processor for 3 s.
  project.edit("src/main.ts", (text) => `const late = Date.now() + 2_200;\nwhile (Date.now() < late);\n${text}`);
  await dev.until("the late version is served", () => occurrences(dev.printed, "serving it after") === 3);
  expect(await project.get("/led")).toBe('{"led":1}');
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
  await dev.until("the correction is said", () => dev.printed.includes("corrected; the running version is up to date"));
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

test("a port in use is no mistake of the sources, and is not called one", async () => {
  const { project, dev } = await developing();
  const other = createServer();
  onTestFinished(() => void other.close());
  const address = await freeAddress();
  await new Promise<void>((resolve) => other.listen(portOf(address), "127.0.0.1", resolve));
  project.edit("src/main.ts", (text) => text.replace(/127\.0\.0\.1:\d+/, address));
  await dev.until("the end is told", () => dev.printed.includes("the application ended with status 69"));
  expect(dev.printed).toContain("the address is in use by another program");
  expect(dev.printed).toContain("remove the cause above, and start `npm run dev` again or save a file");
  expect(dev.printed).not.toContain("fix it and save");
});

test("a file in a new folder is noticed, also where a folder of that name was removed before", async () => {
  const { project, dev } = await developing();
  mkdirSync(`${project.folder}/src/more`);
  project.write("src/more/noun.ts", 'export const noun = "first";\n');
  project.edit("src/main.ts", (text) =>
    `import { noun } from "./more/noun.ts";\n${text}`.replace("{ led: led(", "{ [noun]: led("),
  );
  await dev.until("/first answers", () => project.get("/first"));
  project.write("src/more/noun.ts", 'export const noun = "second";\n');
  await dev.until("/second answers", () => project.get("/second"));

  // As when git changes the branch.
  rmSync(`${project.folder}/src/more`, { recursive: true });
  await dev.until("that it is missing is shown", () => dev.printed.includes("Could not resolve"));
  mkdirSync(`${project.folder}/src/more`);
  project.write("src/more/noun.ts", 'export const noun = "third";\n');
  await dev.until("/third answers", () => project.get("/third"));
  project.write("src/more/noun.ts", 'export const noun = "fourth";\n');
  await dev.until("/fourth answers", () => project.get("/fourth"));
});

test("Ctrl-C ends everything it has started", async () => {
  const { project, dev } = await developing();
  expect(dev.processes.length).toBeGreaterThan(1);
  await dev.interrupt();
  await eventually("no process is left", () => dev.processes.length === 0);
  expect(await project.get("/led")).toBeUndefined();
});
